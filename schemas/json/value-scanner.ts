const QUOTE = 34;
const COMMA = 44;
const NEWLINE = 10;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** The value goes on in the next bytes. */
export const NEEDS_MORE = -1;
/** A bracket is closed by one of the other kind, or brackets nest deeper than `MAX_SCANNED_DEPTH`. */
export const BROKEN = -2;

/** Brackets that may be open at once: each takes memory, and what nests this deep is refused by every reader of it. */
export const MAX_SCANNED_DEPTH = 10_000;

/** Finds the end of one JSON value in bytes that arrive in pieces, by quotes and matching brackets alone. */
export interface ValueScanner {
  /** Starts with another value. */
  reset(): void;
  /** The index after the value, `NEEDS_MORE` or `BROKEN`. A number or word ends before a comma, line feed or closing bracket. */
  scan(bytes: Buffer, from: number): number;
  /** True while a string or bracket is open: the value is incomplete if nothing follows. */
  isOpen(): boolean;
}

export function createValueScanner(): ValueScanner {
  let closers: number[] = [];
  let inString = false;
  let escaped = false;

  return {
    reset() {
      closers = [];
      inString = false;
      escaped = false;
    },
    isOpen: () => inString || closers.length > 0,
    scan(bytes, from) {
      for (let at = from; at < bytes.length; at++) {
        const code = bytes[at] as number;
        if (inString) {
          if (escaped) escaped = false;
          else if (code === BACKSLASH) escaped = true;
          else if (code === QUOTE) {
            inString = false;
            if (closers.length === 0) return at + 1;
          }
        } else if (code === QUOTE) {
          inString = true;
        } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
          if (closers.length === MAX_SCANNED_DEPTH) return BROKEN;
          closers.push(code + 2);
        } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
          if (closers.length === 0) return at;
          if (closers.pop() !== code) return BROKEN;
          if (closers.length === 0) return at + 1;
        } else if (closers.length === 0 && (code === COMMA || code === NEWLINE)) {
          return at;
        }
      }
      return NEEDS_MORE;
    },
  };
}
