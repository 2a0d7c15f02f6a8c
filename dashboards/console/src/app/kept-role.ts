import type { Role } from '#schemas/api/role-order.ts';

/** Storage key, which `early.js` reads. */
const KEY = 'trapline-role';

let ended = false;

/**
 * Stores the role of this browser's session, or null without a session. `early.js` can then request the first list
 * before the session is known.
 */
export function keepRole(role: Role | null): void {
  try {
    ended = role === null && localStorage.getItem(KEY) !== null;
    if (role === null) localStorage.removeItem(KEY);
    else if (localStorage.getItem(KEY) !== role) localStorage.setItem(KEY, role);
  } catch {
    // Fails in browsers that block site data. The list is then requested after the session.
  }
}

/** Returns true if this browser had a session that has ended. */
export const sessionHasEnded = (): boolean => ended;
