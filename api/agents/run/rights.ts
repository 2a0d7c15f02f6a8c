import { mayUseAccount } from '#api/accounts/tables/users.ts';
import type { Db } from '#api/postgres/database.ts';
import { hasRole, type Role, SCOPES, type Scope } from '#schemas/api/roles.ts';

/** What a run may do: what its caller may at this moment, and never more than the key it was started with. */
export interface RunRights {
  /** null: the operator. */
  readonly userId: string | null;
  readonly role: Role;
  /** null: all that the role allows. */
  readonly scopes: readonly string[] | null;
}

/** Looks the caller up again: roles are revoked, accounts are closed. undefined: the account has no rights any more. */
export async function readRights(
  db: Db,
  run: { readonly ownerId: string | null; readonly scopes: readonly string[] | null },
): Promise<RunRights | undefined> {
  const { ownerId, scopes } = run;
  if (ownerId === null) return { userId: null, role: 'admin', scopes };
  const user = await db
    .selectFrom('users')
    .select(['role', 'disabled', 'endDate'])
    .where('id', '=', ownerId)
    .executeTakeFirst();
  return user === undefined || !mayUseAccount(user) ? undefined : { userId: ownerId, role: user.role, scopes };
}

export function mayDo(rights: RunRights, scope: Scope): boolean {
  return hasRole(rights.role, SCOPES[scope].role) && (rights.scopes === null || rights.scopes.includes(scope));
}
