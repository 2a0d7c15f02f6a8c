import { type ChangeUser, UserChangeRefused } from '#api/accounts/admin/change-user.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { hasRole, type Role } from '#schemas/api/roles.ts';
import { groupsOfManaged } from './tables/scim-groups.ts';

export interface ScimRolesDeps {
  readonly database: Database;
  readonly changeUser: ChangeUser;
  /** Roles by display name of a group. Empty: groups assign no roles. */
  readonly roles: ReadonlyMap<string, Role>;
  readonly logger: { warn(fields: object, message: string): void };
}

/** Maximum number of repetitions because of concurrent group changes; each such change also applies its own roles. */
const MAX_ROUNDS = 5;

/**
 * Gives users that the provider manages the highest role of their groups. Other accounts keep their roles, as do the
 * last administrator and the owner of the key. Groups are read again after the change, so that of two concurrent
 * changes, the roles of the later one apply.
 */
export async function applyRoles(
  { database, changeUser, roles, logger }: ScimRolesDeps,
  userIds: readonly string[],
  {
    actor,
    userId,
    origin,
  }: { readonly actor: string; readonly userId: string | undefined; readonly origin: RequestOrigin },
): Promise<void> {
  if (roles.size === 0) return;
  const ids = [...new Set(userIds)];
  const applied = new Map<string, Role>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const managed = (await groupsOfManaged(database, ids)).map(({ id, groups }) => ({
      id,
      role: roleOf(groups, roles),
    }));
    const open = managed.filter(({ id, role }) => applied.get(id) !== role);
    if (open.length === 0) return;
    for (const { id, role } of open) {
      applied.set(id, role);
      try {
        await changeUser(id, { role }, { actor, userId, origin });
      } catch (error) {
        if (!(error instanceof UserChangeRefused)) throw error;
        logger.warn({ userId: id, reason: error.reason }, 'role of a SCIM user is kept');
      }
    }
  }
}

/** Returns the highest role of these groups, or `user` if none of them assigns a role. */
export function roleOf(groups: readonly string[], roles: ReadonlyMap<string, Role>): Role {
  return groups.reduce<Role>((highest, group) => {
    const role = roles.get(group.toLowerCase());
    return role !== undefined && hasRole(role, highest) ? role : highest;
  }, 'user');
}
