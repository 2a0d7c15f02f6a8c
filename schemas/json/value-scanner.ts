const QUOTE = 34;
const COMMA = 44;
const NEWLINE = 10;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** The value continues in the next bytes. */
export const NEEDS_MORE = -1;
/** Brackets do not match, or nest deeper than `MAX_SCANNED_DEPTH`. */
export const BROKEN = -2;

/** Maximum number of open brackets, because each takes memory. Every reader rejects values that nest this deep. */
export const MAX_SCANNED_DEPTH = 10_000;

/** Finds the end of a JSON value in bytes that arrive in chunks. Looks only at quotes and brackets. */
export interface ValueScanner {
  /** Prepares for another value. */
  reset(): void;
  /**
   * Returns the index after the value, `NEEDS_MORE` or `BROKEN`. A number or word ends before a comma, line feed or
   * closing bracket.
   */
  scan(bytes: Buffer, from: number): number;
  /** True while a string or bracket is open: the value is incomplete if the text ends here. */
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
