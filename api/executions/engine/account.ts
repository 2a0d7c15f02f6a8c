/**
 * Returns the key by which interpreters and sandboxes separate the work of accounts. The operator of the installation
 * counts as an account.
 */
export function accountOf(ownerId: string | null): string {
  return ownerId ?? 'operator';
}
