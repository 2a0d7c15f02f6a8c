import type { TextRun } from './column-run.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { ColumnEncoder, WireType } from './wire-type.ts';

/** KeysSerializationVersion::SharedDictionariesWithAdditionalKeys of ClickHouse's SerializationLowCardinality.cpp. */
const VERSION = 1;
const HAS_ADDITIONAL_KEYS = 1 << 9;
const NEED_UPDATE_DICTIONARY = 1 << 10;

/**
 * LowCardinality of strings: the distinct values of the block, and the index of each row's value. Building the
 * dictionary here saves the server a hash of every value, which would cost more than the rest of the insert.
 */
function lowCardinality<Value extends string | null>(name: string, isNullable: boolean): WireType<Value> {
  return {
    name,
    ...(isNullable ? { isNullable } : {}),
    open(): ColumnEncoder<Value> {
      const keys = new GrowingBytes(256);
      const indexes = createIndexes();
      const known = new Map<Value, number>();
      let last: Value | undefined;
      let lastIndex = 0;
      /** For each number of a text run, the index of its value plus 1; 0 if not looked up. */
      let indexOfNumber = new Uint32Array(0);
      let generation = -1;
      begin();

      function begin(): void {
        last = undefined;
        generation = -1;
        // Index 0 is null. Its key is a placeholder.
        if (!isNullable) return;
        keys.text('');
        known.set(null as Value, 0);
      }

      function indexOf(value: Value): number {
        let index = known.get(value);
        if (index === undefined) {
          index = known.size;
          known.set(value, index);
          keys.text(value as string);
        }
        last = value;
        lastIndex = index;
        return index;
      }

      /** Prepares the table of numbers for a run. */
      function beginRun(run: TextRun): void {
        if (indexOfNumber.length < run.limit) indexOfNumber = new Uint32Array(run.limit);
        else if (generation !== run.generation) indexOfNumber.fill(0);
        // Index 0 is null.
        if (isNullable) indexOfNumber[0] = 1;
        generation = run.generation;
      }

      return {
        add: (value) => indexes.set(indexes.extend(1), value === last ? lastIndex : indexOf(value)),
        addAll(rows, of) {
          const start = indexes.extend(rows.length);
          for (let i = 0; i < rows.length; i++) {
            const value = of(rows[i] as (typeof rows)[number]);
            indexes.set(start + i, value === last ? lastIndex : indexOf(value));
          }
        },
        addRun(run) {
          if (run.kind !== 'texts') throw new TypeError(`a run of ${run.kind} cannot be stored as ${name}`);
          beginRun(run);
          const { numbers } = run;
          const start = indexes.extend(numbers.length);
          for (let i = 0; i < numbers.length; i++) {
            const number = numbers[i] as number;
            let next = indexOfNumber[number] as number;
            if (next === 0) {
              next = indexOf(run.valueOf(number) as Value) + 1;
              indexOfNumber[number] = next;
            }
            indexes.set(start + i, next - 1);
          }
        },
        get bytes() {
          return keys.length + indexes.bytes().length;
        },
        data() {
          const head = new GrowingBytes(64);
          head.uint64(VERSION);
          head.uint64(HAS_ADDITIONAL_KEYS | NEED_UPDATE_DICTIONARY | indexes.kind());
          head.uint64(known.size);
          const middle = new GrowingBytes(8);
          middle.uint64(indexes.rows());
          return [head.bytes(), keys.bytes(), middle.bytes(), indexes.bytes()];
        },
        clear() {
          keys.clear();
          indexes.clear();
          known.clear();
          begin();
        },
      };
    },
  };
}

/**
 * Indexes of the rows' values. Uses the narrowest index type that can represent all keys, because most columns have few
 * distinct values.
 */
function createIndexes() {
  const out = new GrowingBytes();
  /** Bytes per index: 1, 2 or 4. */
  let width = 1;
  /** Exclusive upper limit of an index of this width. */
  let limit = 256;
  let rows = 0;

  /**
   * Doubles the width of the indexes. Goes from the last to the first, so that each is read before it is overwritten.
   */
  function widen(): void {
    out.extend(rows * width);
    const { view } = out;
    for (let row = rows - 1; row >= 0; row--) {
      if (width === 1) view.setUint16(2 * row, view.getUint8(row), true);
      else view.setUint32(4 * row, view.getUint16(2 * row, true), true);
    }
    width *= 2;
    limit **= 2;
  }

  return {
    rows: () => rows,
    /** Index types of the format: 0 is UInt8, 1 UInt16, 2 UInt32. */
    kind: () => width >> 1,
    bytes: () => out.bytes(),
    /** Appends `count` indexes, which the caller must set immediately. Returns the position of the first. */
    extend(count: number): number {
      const start = rows;
      out.extend(count * width);
      rows += count;
      return start;
    },
    set(row: number, index: number): void {
      while (index >= limit) widen();
      const { view } = out;
      if (width === 1) view.setUint8(row, index);
      else if (width === 2) view.setUint16(2 * row, index, true);
      else view.setUint32(4 * row, index, true);
    },
    clear(): void {
      out.clear();
      width = 1;
      limit = 256;
      rows = 0;
    },
  };
}

export const name = lowCardinality<string>('LowCardinality(String)', false);
export const nullableName = lowCardinality<string | null>('LowCardinality(Nullable(String))', true);
