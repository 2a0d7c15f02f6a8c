import { GrowingBytes } from './growing-bytes.ts';
import type { ColumnEncoder, WireType } from './wire-type.ts';

/** KeysSerializationVersion::SharedDictionariesWithAdditionalKeys of ClickHouse's SerializationLowCardinality.cpp. */
const VERSION = 1;
const HAS_ADDITIONAL_KEYS = 1 << 9;
const NEED_UPDATE_DICTIONARY = 1 << 10;

/**
 * LowCardinality of strings: the distinct values of the block, and for each row its index among them. Making the dictionary here spares the
 * server a hash of every value, which costs it more than all the rest of the insert.
 */
function lowCardinality<Value extends string | null>(name: string, isNullable: boolean): WireType<Value> {
  return {
    name,
    ...(isNullable ? { isNullable } : {}),
    open(): ColumnEncoder<Value> {
      const keys = new GrowingBytes(256);
      const indexes = new GrowingBytes();
      const known = new Map<Value, number>();
      let last: Value | undefined;
      let lastIndex = 0;
      begin();

      function begin(): void {
        last = undefined;
        // Index 0 stands for null; its key is a placeholder.
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

      return {
        add: (value) => indexes.uint32(value === last ? lastIndex : indexOf(value)),
        addAll(rows, of) {
          const start = indexes.extend(4 * rows.length);
          const { view } = indexes;
          for (let i = 0; i < rows.length; i++) {
            const value = of(rows[i] as (typeof rows)[number]);
            view.setUint32(start + 4 * i, value === last ? lastIndex : indexOf(value), true);
          }
        },
        get bytes() {
          return keys.length + indexes.length;
        },
        data() {
          const rows = indexes.length / 4;
          const { kind, packed } = narrowest(indexes.bytes(), rows, known.size);
          const head = new GrowingBytes(64);
          head.uint64(VERSION);
          head.uint64(HAS_ADDITIONAL_KEYS | NEED_UPDATE_DICTIONARY | kind);
          head.uint64(known.size);
          const middle = new GrowingBytes(8);
          middle.uint64(rows);
          return [head.bytes(), keys.bytes(), middle.bytes(), packed];
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

/** Index types of the format: 0 is UInt8, 1 UInt16, 2 UInt32. */
function narrowest(indexes: Buffer, rows: number, keys: number): { kind: number; packed: Buffer } {
  if (keys > 65_536) return { kind: 2, packed: indexes };
  const wide = new Uint32Array(indexes.buffer, indexes.byteOffset, rows);
  const narrow = keys > 256 ? new Uint16Array(wide) : new Uint8Array(wide);
  return { kind: keys > 256 ? 1 : 0, packed: Buffer.from(narrow.buffer, narrow.byteOffset, narrow.byteLength) };
}

export const name = lowCardinality<string>('LowCardinality(String)', false);
export const nullableName = lowCardinality<string | null>('LowCardinality(Nullable(String))', true);
