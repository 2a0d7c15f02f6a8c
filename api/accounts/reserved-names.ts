/** Names by which others would take somebody for the house; `operator`, `system` and `anonymous` are actors of the audit log. */
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

/** Whether a name is given by administrators only; nobody takes it for an own account. Whatever its case. */
export function isReservedName(username: string): boolean {
  return RESERVED.has(username.toLowerCase());
}
