/** Least to most. `user` calls scrapers and workflows, `analyst` reads and triages detections too, `admin` does all. */
export const ROLES = ['user', 'analyst', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** True when `role` is at least `needed`. */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
