import { mayUseAccount } from '#api/accounts/tables/users.ts';
import type { Database } from '#api/postgres/database.ts';
import { hasRole, SCOPES, type Scope } from '#schemas/api/roles.ts';

/** Returns whether the owner of an execution (null for the operator) currently has a permission. */
export type OwnerMay = (ownerId: string | null, scope: Scope) => Promise<boolean>;

/** Not cached: when owners are disabled or lose their role, their executions lose the permission. */
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
