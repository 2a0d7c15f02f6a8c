import type { Instant } from '#schemas/events/accepted.ts';
import type { U64 } from '#schemas/events/event.ts';
import { GrowingBytes, setUint64 } from './growing-bytes.ts';
import type { ColumnEncoder, WireType } from './wire-type.ts';

const TWO_32 = 4_294_967_296;
const NANOS = 1_000_000_000;

/** A type whose values are written consecutively. */
function plain<Value>(name: string, write: (out: GrowingBytes, value: Value) => void): WireType<Value> {
  return {
    name,
    open(): ColumnEncoder<Value> {
      const out = new GrowingBytes();
      return {
        add: (value) => write(out, value),
        addRun(run) {
          if (run.kind !== 'bytes') throw new TypeError(`a run of ${run.kind} cannot be stored as ${name}`);
          out.append(run.bytes);
        },
        get bytes() {
          return out.length;
        },
        data: () => [out.bytes()],
        clear: () => out.clear(),
      };
    },
  };
}

/** Nullable of a plain type: one byte per row that marks nulls, then all values with `zero` for nulls. */
function nullable<Value>(
  name: string,
  zero: Value,
  write: (out: GrowingBytes, value: Value) => void,
): WireType<Value | null> {
  return {
    name: `Nullable(${name})`,
    isNullable: true,
    open(): ColumnEncoder<Value | null> {
      const nulls = new GrowingBytes(1024);
      const out = new GrowingBytes();
      return {
        add(value) {
          nulls.uint8(value === null ? 1 : 0);
          write(out, value === null ? zero : value);
        },
        get bytes() {
          return nulls.length + out.length;
        },
        data: () => [nulls.bytes(), out.bytes()],
        clear() {
          nulls.clear();
          out.clear();
        },
      };
    },
  };
}

const writeText = (out: GrowingBytes, value: string): void => out.text(value);
const writeBlob = (out: GrowingBytes, value: Buffer): void => out.blob(value);
const writeUint64 = (out: GrowingBytes, value: U64): void => out.uint64(value);

export const text = plain('String', writeText);
export const nullableText = nullable('String', '', writeText);
export const nullableBlob = nullable('String', Buffer.alloc(0), writeBlob);
export const uint64 = plain('UInt64', writeUint64);

export const nullableFloat64 = nullable('Float64', 0, (out, value: number) => out.float64(value));

/** The most frequent number type of events. */
export const nullableUint64: WireType<U64 | null> = {
  name: 'Nullable(UInt64)',
  isNullable: true,
  open(): ColumnEncoder<U64 | null> {
    const nulls = new GrowingBytes(1024);
    const out = new GrowingBytes();
    return {
      add(value) {
        nulls.uint8(value === null ? 1 : 0);
        out.uint64(value ?? 0);
      },
      addAll(rows, of) {
        const flagsAt = nulls.extend(rows.length);
        const valuesAt = out.extend(8 * rows.length);
        const { view: flags } = nulls;
        const { view: values } = out;
        for (let i = 0; i < rows.length; i++) {
          const value = of(rows[i] as (typeof rows)[number]);
          flags.setUint8(flagsAt + i, value === null ? 1 : 0);
          setUint64(values, valuesAt + 8 * i, value ?? 0);
        }
      },
      addRun(run) {
        if (run.kind !== 'numbers') throw new TypeError(`a run of ${run.kind} cannot be stored as UInt64`);
        nulls.append(run.nulls);
        out.append(run.values);
      },
      get bytes() {
        return nulls.length + out.length;
      },
      data: () => [nulls.bytes(), out.bytes()],
      clear() {
        nulls.clear();
        out.clear();
      },
    };
  },
};

/** Days since the epoch. */
export const date = plain('Date', (out, days: number) => out.uint16(days));

/** Milliseconds since the epoch. */
export const milliseconds = plain("DateTime64(3, 'UTC')", (out, millis: number) => {
  const high = Math.floor(millis / TWO_32);
  out.int64(high, millis - high * TWO_32);
});

/**
 * Nanoseconds since the epoch as Int64. Computed from parts that are exact as doubles, because seconds * 10^9 is not.
 */
export const nanoseconds = plain("DateTime64(9, 'UTC')", (out, { seconds, nanos }: Instant) => {
  const upperSeconds = Math.floor(seconds / 65_536);
  const upper = upperSeconds * NANOS;
  const lower = (seconds - upperSeconds * 65_536) * NANOS + nanos;
  // The value is upper * 2^16 + lower.
  const upperHigh = Math.floor(upper / 65_536);
  const low = (upper - upperHigh * 65_536) * 65_536 + lower;
  const carry = Math.floor(low / TWO_32);
  out.int64(upperHigh + carry, low - carry * TWO_32);
});
