export const NEWLINE = 10;

/** One way of splitting a text into records, for bytes that arrive in pieces. `position`: of the bytes in the whole text. */
export interface SplitMode {
  push(bytes: Buffer, position: number): void;
  /** Nothing follows. `position`: length of the whole text. */
  end(position: number): void;
}

/** Why a text can't be split to its end. */
export class SplitError extends Error {
  override readonly name = 'SplitError';
  /** Byte of the text, from 0. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** The white space of JSON. Other white space is part of a record, whose reader refuses it. */
export function isSpace(code: number): boolean {
  return code === 32 || code === NEWLINE || code === 13 || code === 9;
}

/** The bytes without the white space around them. */
export function trimmed(bytes: Buffer): Buffer {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start] as number)) start++;
  while (end > start && isSpace(bytes[end - 1] as number)) end--;
  return bytes.subarray(start, end);
}
