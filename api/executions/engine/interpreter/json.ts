import type { JsonValue } from '../../json-value.ts';

export type JsonObject = { readonly [name: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** Returns the value of an own property, or undefined. Never returns an inherited property. */
export function get(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
export function getText(value: JsonValue | undefined, name: string): string | undefined {
  const found = get(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** Returns name and task of an item of a task list, which is an object with one member. */
export function taskItem(item: JsonValue | undefined): { name: string; task: JsonObject } | undefined {
  if (!isObject(item)) return undefined;
  const [name, ...more] = Object.keys(item);
  if (name === undefined || more.length > 0) return undefined;
  const task = item[name];
  return isObject(task) ? { name, task } : undefined;
}

const ESCAPED = /[~/[#]/;

/**
 * Escapes one segment of a JSON pointer (RFC 6901). Brackets are escaped too, so `for[3]` in a path always denotes a
 * loop iteration and never a name.
 */
export const segment = (name: string): string =>
  ESCAPED.test(name)
    ? name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('[', '~2').replaceAll('#', '~3')
    : name;
