import type { U64 } from '#schemas/events/event.ts';

/** Maximum size. The server would split a larger block. */
const MAX_BYTES = 512 * 1024 * 1024;
const TWO_32 = 4_294_967_296;

/** A growing buffer to which fixed-size little-endian numbers and strings are appended. */
export class GrowingBytes {
  #buffer: Buffer;
  #view: DataView;
  #at = 0;

  constructor(initialBytes = 4096) {
    this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    this.#view = viewOf(this.#buffer);
  }

  get length(): number {
    return this.#at;
  }

  /** Returns the written bytes without copying them. Valid until the next write. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  /** Removes the content and keeps the memory. */
  clear(): void {
    this.#at = 0;
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#at++] = value;
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  /** Appends a UInt64. Uses no BigInt arithmetic for numbers up to 2^53 - 1. */
  uint64(value: U64): void {
    this.#reserve(8);
    setUint64(this.#view, this.#at, value);
    this.#at += 8;
  }

  /** Appends this number of bytes, which the caller must write through `view` immediately. Returns their offset. */
  extend(bytes: number): number {
    this.#reserve(bytes);
    const start = this.#at;
    this.#at += bytes;
    return start;
  }

  /** View of the memory. Valid until the next call of another method. */
  get view(): DataView {
    return this.#view;
  }

  /** Appends the Int64 `high * 2^32 + low`. `low` is unsigned, `high` is signed. */
  int64(high: number, low: number): void {
    this.#reserve(8);
    this.#view.setUint32(this.#at, low, true);
    this.#view.setInt32(this.#at + 4, high, true);
    this.#at += 8;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Appends an unsigned LEB128 number. */
  varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 127) {
      this.#buffer[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#buffer[this.#at++] = rest;
  }

  /** Appends the length as varint, then UTF-8. A lone surrogate becomes U+FFFD. */
  text(value: string): void {
    const { length } = value;
    this.#reserve(length * 3 + 5);
    if (length < 43 && this.#ascii(value, length)) return;
    const bytes = Buffer.byteLength(value);
    this.varint(bytes);
    this.#at += this.#buffer.write(value, this.#at, bytes, 'utf8');
  }

  /** Appends the length as varint, then the bytes unchanged. */
  blob(value: Buffer): void {
    this.varint(value.length);
    this.append(value);
  }

  /** Appends the bytes without a length. */
  append(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  /**
   * Appends a short ASCII string. Most names are short and ASCII, and for these a loop is faster than the encoder.
   * Returns false and writes nothing for other strings.
   */
  #ascii(value: string, length: number): boolean {
    const buffer = this.#buffer;
    const start = this.#at + 1;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) return false;
      buffer[start + i] = code;
    }
    buffer[this.#at] = length;
    this.#at = start + length;
    return true;
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#buffer.length) return;
    if (needed > MAX_BYTES) throw new RangeError(`a column of a block may not exceed ${MAX_BYTES} bytes`);
    const larger = Buffer.allocUnsafeSlow(Math.min(MAX_BYTES, Math.max(needed, this.#buffer.length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
    this.#view = viewOf(larger);
  }
}

/** Writes a UInt64, little-endian. */
export function setUint64(view: DataView, at: number, value: U64): void {
  if (typeof value === 'number') {
    view.setUint32(at, value, true);
    view.setUint32(at + 4, value / TWO_32, true);
  } else {
    view.setBigUint64(at, value, true);
  }
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
