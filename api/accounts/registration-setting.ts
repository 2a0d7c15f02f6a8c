/** Who may register: every person, no person, or persons with an address at one of the domains. */
export type RegistrationSetting = 'open' | 'closed' | readonly string[];

/** True if the setting permits the address (lower case). A domain does not include its subdomains. */
export function mayRegister(setting: RegistrationSetting, email: string): boolean {
  if (setting === 'open') return true;
  if (setting === 'closed') return false;
  return setting.includes(email.slice(email.lastIndexOf('@') + 1));
}
