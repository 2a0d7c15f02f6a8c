import type { U64 } from '#schemas/events/v1.ts';

/** Beyond this a block would stop being one block in the server and one buffer here. */
const MAX_BYTES = 512 * 1024 * 1024;
const TWO_32 = 4_294_967_296;
const NANOS = 1_000_000_000;

/**
 * Writes ClickHouse's RowBinary (little-endian fixed-size numbers, strings behind a varint length) into one growing buffer. Every method is
 * one column type; 64-bit values go in without BigInt arithmetic unless they come as a bigint.
 * Format: https://clickhouse.com/docs/interfaces/formats/RowBinary
 */
export class RowBinaryWriter {
  #buffer: Buffer;
  #view: DataView;
  #at = 0;

  constructor(initialBytes = 64 * 1024) {
    this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    this.#view = viewOf(this.#buffer);
  }

  /** Bytes written so far: where the next value begins. */
  get length(): number {
    return this.#at;
  }

  /** What has been written, not copied: valid until the next write. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
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

  uint64(value: U64): void {
    this.#reserve(8);
    if (typeof value === 'number') {
      this.#view.setUint32(this.#at, value, true);
      this.#view.setUint32(this.#at + 4, value / TWO_32, true);
    } else {
      this.#view.setBigUint64(this.#at, value, true);
    }
    this.#at += 8;
  }

  /** Nullable(UInt64). */
  nullableUint64(value: U64 | null): void {
    this.uint8(value === null ? 1 : 0);
    if (value !== null) this.uint64(value);
  }

  /** DateTime64(9): nanoseconds since the epoch as Int64, made of halves that a double holds exactly. `seconds` may be negative. */
  dateTime64Nanos(seconds: number, nanos: number): void {
    this.#reserve(8);
    const upperSeconds = Math.floor(seconds / 65_536);
    const upper = upperSeconds * NANOS;
    const lower = (seconds - upperSeconds * 65_536) * NANOS + nanos;
    // upper * 2^16 + lower, in words of 32 bits
    const upperHigh = Math.floor(upper / 65_536);
    const low = (upper - upperHigh * 65_536) * 65_536 + lower;
    const carry = Math.floor(low / TWO_32);
    this.#view.setUint32(this.#at, low - carry * TWO_32, true);
    this.#view.setInt32(this.#at + 4, upperHigh + carry, true);
    this.#at += 8;
  }

  /** DateTime64(3): milliseconds since the epoch. */
  dateTime64Millis(millis: number): void {
    this.#reserve(8);
    const high = Math.floor(millis / TWO_32);
    this.#view.setUint32(this.#at, millis - high * TWO_32, true);
    this.#view.setInt32(this.#at + 4, high, true);
    this.#at += 8;
  }

  /** String, LowCardinality(String) or an element of either, as UTF-8. */
  string(value: string): void {
    const { length } = value;
    this.#reserve(length * 3 + 5);
    if (length < 43 && this.#ascii(value, length)) return;
    const bytes = Buffer.byteLength(value);
    this.#varint(bytes);
    this.#at += this.#buffer.write(value, this.#at, bytes, 'utf8');
  }

  nullableString(value: string | null): void {
    this.uint8(value === null ? 1 : 0);
    if (value !== null) this.string(value);
  }

  /** String from bytes that are copied as they are. */
  stringBytes(value: Buffer): void {
    this.#reserve(value.length + 5);
    this.#varint(value.length);
    value.copy(this.#buffer, this.#at);
    this.#at += value.length;
  }

  nullableStringBytes(value: Buffer | null): void {
    this.uint8(value === null ? 1 : 0);
    if (value !== null) this.stringBytes(value);
  }

  array<T>(values: readonly T[], writeElement: (writer: RowBinaryWriter, value: T) => void): void {
    this.#reserve(5);
    this.#varint(values.length);
    for (const value of values) writeElement(this, value);
  }

  /** Bytes that are in the format already. */
  raw(encoded: Buffer): void {
    this.#reserve(encoded.length);
    encoded.copy(this.#buffer, this.#at);
    this.#at += encoded.length;
  }

  /** Overwrites a UInt16 (or Date) written earlier. */
  patchUint16(at: number, value: number): void {
    this.#view.setUint16(at, value, true);
  }

  /** Most names are short and ASCII: byte by byte beats a call into the encoder. False, with nothing written, for others. */
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

  #varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#buffer[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#buffer[this.#at++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const needed = this.#at + bytes;
    if (needed > MAX_BYTES) throw new RangeError(`a block of rows may not exceed ${MAX_BYTES} bytes`);
    const larger = Buffer.allocUnsafeSlow(Math.min(MAX_BYTES, Math.max(needed, this.#buffer.length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
