/** Default limit of open files. An attacker counts through the descriptors below to find that of a connection. */
const DESCRIPTORS = 1_024;
/** Lowest address of programs of x86-64 that are not position-independent. Other programs lie higher. */
const LOWEST_ADDRESS = 0x40_0000;
/** Space and end of the highest addresses; see `Address`. As numbers, they are negative. */
const HIGHEST = { space: -0xffff, end: 2 ** 48 } as const;

/**
 * Returns true if the value is a number of the program and nothing that an attacker guesses: a counter, an index, a
 * length, or a depth of recursion. These move in steps of 1 without an attack. A guess of a byte of an address or of a
 * canary leaves the other bytes of it in the register, and a value below 4 MiB has none of them.
 */
export function isNumber(space: number, offset: number): boolean {
  if (space === 0) return offset >= DESCRIPTORS && offset < LOWEST_ADDRESS;
  return space === HIGHEST.space && offset >= HIGHEST.end - LOWEST_ADDRESS;
}
