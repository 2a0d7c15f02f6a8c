/**
 * In ascending order. `user` calls scrapers and workflows. `analyst` can also read and triage detections. `admin` can
 * do everything.
 */
export const ROLES = ['user', 'analyst', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Returns true if `role` is at least `needed`. */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
