/** By what interpreters and sandboxes keep the work of accounts apart; the operator of the installation is an account as well. */
export function accountOf(ownerId: string | null): string {
  return ownerId ?? 'operator';
}
