import type { Role } from '#schemas/api/role-order.ts';

/** `early.js` reads it. */
const KEY = 'trapline-role';

/** Remembers the role of this browser's session, so that `early.js` need not wait for the session before it asks for the first list; null without one. */
export function keepRole(role: Role | null): void {
  try {
    if (role === null) localStorage.removeItem(KEY);
    else if (localStorage.getItem(KEY) !== role) localStorage.setItem(KEY, role);
  } catch {
    // Browsers that block site data: the list is asked for after the session.
  }
}
