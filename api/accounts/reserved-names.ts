/** Names by which other users would mistake an account for the service; `operator`, `system` and `anonymous` are actors of the audit log. */
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

/** Whether only administrators may assign the name; users cannot choose it for their account. Case does not matter. */
export function isReservedName(username: string): boolean {
  return RESERVED.has(username.toLowerCase());
}
