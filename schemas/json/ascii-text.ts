/** An undocumented method that every Buffer has and that `toString` calls. It is declared only here. */
interface Sliced extends Buffer {
  latin1Slice(from: number, to: number): string;
}

/**
 * Returns bytes that are known to be ASCII as a string. Equal to `toString('latin1', from, to)`, without its argument
 * checks, which take as long as the conversion.
 */
export function asciiText(bytes: Buffer, from: number, to: number): string {
  return (bytes as Sliced).latin1Slice(from, to);
}
