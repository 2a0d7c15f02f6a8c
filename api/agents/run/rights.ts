import { mayUseAccount } from '#api/accounts/tables/users.ts';
import type { Db } from '#api/postgres/database.ts';
import { hasRole, type Role, SCOPES, type Scope } from '#schemas/api/roles.ts';

/** Rights of a run: the current rights of its caller, limited to those of the key it was started with. */
export interface RunRights {
  /** Null for the operator. */
  readonly userId: string | null;
  readonly role: Role;
  /** Null for all scopes of the role. */
  readonly scopes: readonly string[] | null;
}

/**
 * Reads the current rights of the caller, because roles can be revoked and accounts closed. Returns undefined if the
 * account has no rights any more.
 */
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
