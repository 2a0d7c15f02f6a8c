import type { JsonValue } from '../../json-value.ts';
import type { InterpreterState } from '../port.ts';
import { isList, isObject } from './json.ts';

/**
 * Frames hold the same data many times: the input of a task is the output of the one before and the input of the tasks in it. In the row each value
 * stands once, in `values`, and the frames have its number. Names under which frames keep data are known, so that data are never taken for frames.
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

/** Makes a position smaller. The result shares values with it and must not be changed. */
export function packState(position: JsonValue): InterpreterState {
  const values: JsonValue[] = [];
  const numbers = new Map<JsonValue, number>();
  const pack = (value: JsonValue): JsonValue => {
    if (isList(value)) return value.map(pack);
    if (!isObject(value)) return value;
    const packed: Record<string, JsonValue> = {};
    for (const [name, inner] of Object.entries(value)) {
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

/** The position again, as a copy that may be changed; values are shared and must not be. */
export function unpackState(state: InterpreterState): JsonValue {
  const { position, values } = state as unknown as Packed;
  const unpack = (value: JsonValue): JsonValue => {
    if (isList(value)) return value.map(unpack);
    if (!isObject(value)) return value;
    const unpacked: Record<string, JsonValue> = {};
    for (const [name, inner] of Object.entries(value))
      unpacked[name] = DATA.has(name) ? copyOf(name, values[inner as number] ?? null) : unpack(inner);
    return unpacked;
  };
  return unpack(position);
}

/** What a frame changes in place must be its own. */
function copyOf(name: string, value: JsonValue): JsonValue {
  if ((name === 'got' || name === 'outputs') && isList(value)) return [...value];
  return name === 'learned' && isObject(value) ? { ...value } : value;
}
