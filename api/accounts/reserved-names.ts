/** Names that other users would mistake for the service. `operator`, `system` and `anonymous` are actors of the audit log. */
const RESERVED: ReadonlySet<string> = new Set([
  'abuse',
  'admin',
  'administrator',
  'anonymous',
  'hostmaster',
  'moderator',
  'operator',
  'postmaster',
  'root',
  'security',
  'superuser',
  'support',
  'sysadmin',
  'system',
  'trapline',
  'webmaster',
]);

/** True for a reserved name, which only administrators may assign. Case is ignored. */
export function isReservedName(username: string): boolean {
  return RESERVED.has(username.toLowerCase());
}
