/** The form addresses are stored and compared in. */
export function normalEmail(address: string): string {
  return address.toLowerCase();
}
