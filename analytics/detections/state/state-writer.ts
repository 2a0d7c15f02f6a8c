/**
 * Writes the binary form of a tracker's state. Small integers take one byte, strings have a length prefix, and no
 * number is rounded.
 */
export interface StateWriter {
  /** Writes any number, including NaN. Integers below 2^50 take 1 to 8 bytes, other numbers 9. */
  number(value: number): void;
  numbers(values: readonly number[] | undefined): void;
  text(value: string): void;
  optionalText(value: string | null | undefined): void;
  /** Returns the bytes written so far. */
  bytes(): Buffer;
}

const INTEGER_LIMIT = 2 ** 50;
const NOT_INTEGER = 1;
/** Maximum length of a number, bytes. */
const MAX_NUMBER = 9;

/** Creates a writer with a growing buffer. */
export function createStateWriter(): StateWriter {
  let buffer = Buffer.allocUnsafe(1 << 20);
  let at = 0;

  function reserve(bytes: number): void {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  }

  function varint(value: number): void {
    let rest = value;
    while (rest > 0x7fff_ffff) {
      buffer[at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      buffer[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[at++] = rest;
  }

  /** Even: an integer, zigzag-encoded so that small negative numbers are short. 1: a double follows. */
  function put(value: number): void {
    if (Number.isInteger(value) && Math.abs(value) < INTEGER_LIMIT && !Object.is(value, -0)) {
      varint(value < 0 ? -value * 4 - 2 : value * 4);
    } else {
      buffer[at++] = NOT_INTEGER;
      at = buffer.writeDoubleLE(value, at);
    }
  }

  function number(value: number): void {
    reserve(MAX_NUMBER);
    put(value);
  }

  /** Writes UTF-16 units, with one byte each if all fit. Keeps lone surrogates, which UTF-8 would replace. */
  function text(value: string): void {
    const { length } = value;
    number(length);
    reserve(1 + length * 2);
    const start = at;
    buffer[at++] = 1;
    for (let i = 0; i < length; i += 1) {
      const code = value.charCodeAt(i);
      if (code > 0xff) {
        buffer[start] = 2;
        at = start + 1 + buffer.write(value, start + 1, 'utf16le');
        return;
      }
      buffer[at++] = code;
    }
  }

  return {
    number,
    text,
    numbers(values) {
      if (values === undefined) return number(-1);
      reserve(MAX_NUMBER * (values.length + 1));
      put(values.length);
      for (let i = 0; i < values.length; i += 1) put(values[i] as number);
    },
    optionalText(value) {
      number(value === null || value === undefined ? 0 : 1);
      if (value !== null && value !== undefined) text(value);
    },
    bytes: () => buffer.subarray(0, at),
  };
}
