/** The setting REGISTRATION: everybody, nobody, or who has an address of these domains. */
export type RegistrationPolicy = 'open' | 'closed' | readonly string[];

/** @param email lower case */
export function mayRegister(policy: RegistrationPolicy, email: string): boolean {
  if (typeof policy === 'string') return policy === 'open';
  return policy.includes(email.slice(email.lastIndexOf('@') + 1));
}
