/** What every Buffer has and `toString` calls; not in its documentation, so it is named here only. */
interface Sliced extends Buffer {
  latin1Slice(from: number, to: number): string;
}

/** The text of bytes that are known to be ASCII: `toString('latin1', from, to)` without looking at what it was given, which takes as long. */
export function asciiText(bytes: Buffer, from: number, to: number): string {
  return (bytes as Sliced).latin1Slice(from, to);
}
