import { GrowingBytes } from './growing-bytes.ts';
import type { ColumnEncoder, WireType } from './wire-type.ts';

/**
 * Array: the end index of each row's elements, then all elements as one column. Does not support LowCardinality
 * elements, whose prefix would have to come first.
 */
export function array<Element>(element: WireType<Element>): WireType<readonly Element[]> {
  return {
    name: `Array(${element.name})`,
    open(): ColumnEncoder<readonly Element[]> {
      const ends = new GrowingBytes(1024);
      const elements = element.open();
      let end = 0;
      return {
        add(values) {
          for (const value of values) elements.add(value);
          end += values.length;
          ends.uint64(end);
        },
        get bytes() {
          return ends.length + elements.bytes;
        },
        data: () => [ends.bytes(), ...elements.data()],
        clear() {
          end = 0;
          ends.clear();
          elements.clear();
        },
      };
    },
  };
}

/** Named Tuple: its members as columns, in the given order. Does not support LowCardinality members. */
export function tuple<Value extends object>(
  members: { readonly [Name in keyof Value & string]: WireType<Value[Name]> },
): WireType<Value> {
  const names = Object.keys(members) as (keyof Value & string)[];
  return {
    name: `Tuple(${names.map((member) => `${member} ${members[member].name}`).join(', ')})`,
    open(): ColumnEncoder<Value> {
      const opened = names.map((member) => {
        const encoder = members[member].open();
        return { encoder, add: (value: Value) => encoder.add(value[member]) };
      });
      return {
        add(value) {
          for (const member of opened) member.add(value);
        },
        get bytes() {
          return opened.reduce((sum, { encoder }) => sum + encoder.bytes, 0);
        },
        data: () => opened.flatMap(({ encoder }) => [...encoder.data()]),
        clear() {
          for (const { encoder } of opened) encoder.clear();
        },
      };
    },
  };
}
