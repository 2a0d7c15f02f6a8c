import { mayUseAccount } from '#api/accounts/tables/users.ts';
import type { Database } from '#api/postgres/database.ts';
import { hasRole, SCOPES, type Scope } from '#schemas/api/roles.ts';

/** Whether the owner of an execution (null: the operator) may do something at this moment. */
export type OwnerMay = (ownerId: string | null, scope: Scope) => Promise<boolean>;

/** Looked up every time: when owners are disabled or lose their role, executions on their behalf lose the right. */
export function createOwnerMay({ database }: { readonly database: Database }): OwnerMay {
  return async (ownerId, scope) => {
    if (ownerId === null) return true;
    const user = await database
      .selectFrom('users')
      .select(['role', 'disabled', 'endDate'])
      .where('id', '=', ownerId)
      .executeTakeFirst();
    return user !== undefined && mayUseAccount(user) && hasRole(user.role, SCOPES[scope].role);
  };
}
