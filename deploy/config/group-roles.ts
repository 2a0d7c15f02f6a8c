import { z } from 'zod';
import { ROLES, type Role } from '#schemas/api/role-order.ts';

/** `SOC analysts=analyst,Platform=admin`. Kept as text; `rolesOfGroups` parses it. */
export const groupRoles = z
  .string()
  .refine(
    (text) => pairsOf(text).every(([group, role]) => group !== '' && (ROLES as readonly string[]).includes(role)),
    `must be pairs of a group and a role, such as SOC=analyst; roles are ${ROLES.join(', ')}`,
  )
  .refine(
    (text) => new Set(pairsOf(text).map(([group]) => group)).size === pairsOf(text).length,
    'a group has one role',
  );

/** Returns roles by group name in lower case. */
export function rolesOfGroups(text: string | undefined): readonly (readonly [string, Role])[] {
  return text === undefined ? [] : pairsOf(text).map(([group, role]) => [group, role as Role]);
}

function pairsOf(text: string): (readonly [string, string])[] {
  return text.split(',').map((pair) => {
    const at = pair.lastIndexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim().toLowerCase(), pair.slice(at + 1).trim()];
  });
}
