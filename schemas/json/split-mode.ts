export const NEWLINE = 10;

/** One way to split a text into records. `position` is the offset of the bytes in the whole text. */
export interface SplitMode {
  push(bytes: Buffer, position: number): void;
  /** Ends the text. `position` is the length of the whole text. */
  end(position: number): void;
}

/** The reason why a text cannot be split to its end. */
export class SplitError extends Error {
  override readonly name = 'SplitError';
  /** Byte offset in the text, from 0. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** Returns true for JSON white space. Other white space is part of a record, and its reader rejects the record. */
export function isSpace(code: number): boolean {
  return code === 32 || code === NEWLINE || code === 13 || code === 9;
}

/** Returns the bytes without leading and trailing white space. */
export function trimmed(bytes: Buffer): Buffer {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start] as number)) start++;
  while (end > start && isSpace(bytes[end - 1] as number)) end--;
  return bytes.subarray(start, end);
}
