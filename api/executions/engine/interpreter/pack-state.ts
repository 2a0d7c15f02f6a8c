import type { JsonValue } from '../../json-value.ts';
import type { InterpreterState } from '../contract/port.ts';
import { isList, isObject } from './json.ts';

/**
 * Names of frame members that hold data. Frames hold the same value several times: the output of a task is the input of
 * the next task and of its inner tasks. In the row, each value is stored once in `values`, and frames refer to it by
 * index. This list ensures that data are never mistaken for frames.
 */
const DATA = new Set([
  'raw',
  'input',
  'data',
  'items',
  'output',
  'outputs',
  'task',
  'filters',
  'got',
  'learned',
  'exported',
]);

interface Packed {
  readonly position: JsonValue;
  readonly values: readonly JsonValue[];
}

/** Deduplicates the values of a position. The result shares values with the input and must not be changed. */
export function packState(position: JsonValue): InterpreterState {
  const values: JsonValue[] = [];
  const numbers = new Map<JsonValue, number>();
  const pack = (value: JsonValue): JsonValue => {
    if (isList(value)) return value.map(pack);
    if (!isObject(value)) return value;
    const packed: Record<string, JsonValue> = {};
    for (const name of Object.keys(value)) {
      const inner = value[name];
      if (inner === undefined) continue;
      packed[name] = DATA.has(name) ? numberOf(inner) : pack(inner);
    }
    return packed;
  };
  const numberOf = (value: JsonValue): number => {
    let number = numbers.get(value);
    if (number === undefined) {
      number = values.push(value) - 1;
      numbers.set(value, number);
    }
    return number;
  };
  return { position: pack(position), values } satisfies Packed as unknown as JsonValue;
}

/** Reverses `packState`. The returned frames may be changed. The values are shared and must not be changed. */
export function unpackState(state: InterpreterState): JsonValue {
  const { position, values } = state as unknown as Packed;
  const unpack = (value: JsonValue): JsonValue => {
    if (isList(value)) return value.map(unpack);
    if (!isObject(value)) return value;
    const unpacked: Record<string, JsonValue> = {};
    for (const name of Object.keys(value)) {
      const inner = value[name] as JsonValue;
      unpacked[name] = DATA.has(name) ? copyOf(name, values[inner as number] ?? null) : unpack(inner);
    }
    return unpacked;
  };
  return unpack(position);
}

/** Copies values that frames modify in place. */
function copyOf(name: string, value: JsonValue): JsonValue {
  if ((name === 'got' || name === 'outputs') && isList(value)) return [...value];
  return name === 'learned' && isObject(value) ? { ...value } : value;
}
