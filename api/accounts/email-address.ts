/** Returns the normal form of an address, in which addresses are stored and compared. */
export function normalEmail(address: string): string {
  return address.toLowerCase();
}
