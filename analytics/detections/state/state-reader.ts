/** Reads what `StateWriter` wrote, in the same order. Throws `RangeError` when the bytes end too early. */
export interface StateReader {
  number(): number;
  numbers(): number[] | undefined;
  text(): string;
  optionalText(): string | null;
  /** Returns true at the end of the bytes. */
  atEnd(): boolean;
}

/** Creates a reader of what a state writer wrote, in the same order. */
export function createStateReader(bytes: Buffer): StateReader {
  let at = 0;

  function byte(): number {
    const value = bytes[at];
    if (value === undefined) throw new RangeError('the snapshot is cut short');
    at += 1;
    return value;
  }

  function number(): number {
    let low = byte();
    if (low === 1) {
      const double = bytes.readDoubleLE(at);
      at += 8;
      return double;
    }
    let value = low & 0x7f;
    for (let scale = 128; low > 0x7f; scale *= 128) {
      low = byte();
      value += (low & 0x7f) * scale;
    }
    return value % 4 === 0 ? value / 4 : -(value + 2) / 4;
  }

  function text(): string {
    const length = number();
    const width = byte();
    const end = at + length * width;
    if (end > bytes.length) throw new RangeError('the snapshot is cut short');
    const value = width === 1 ? bytes.toString('latin1', at, end) : bytes.toString('utf16le', at, end);
    at = end;
    return value;
  }

  return {
    number,
    text,
    numbers() {
      const length = number();
      if (length < 0) return undefined;
      const values = new Array<number>(length);
      for (let i = 0; i < length; i += 1) values[i] = number();
      return values;
    },
    optionalText: () => (number() === 0 ? null : text()),
    atEnd: () => at === bytes.length,
  };
}
