import type { JsonValue } from '../../json-value.ts';

export type JsonObject = { readonly [name: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** The value of an own property, or undefined; never an inherited property. */
export function get(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
export function getText(value: JsonValue | undefined, name: string): string | undefined {
  const found = get(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** Name and task of an item of a task list: an object with one name. */
export function taskItem(item: JsonValue | undefined): { name: string; task: JsonObject } | undefined {
  if (!isObject(item)) return undefined;
  const [name, ...more] = Object.keys(item);
  if (name === undefined || more.length > 0) return undefined;
  const task = item[name];
  return isObject(task) ? { name, task } : undefined;
}

const ESCAPED = /[~/[#]/;

/** One segment of a JSON pointer (RFC 6901). Brackets are escaped too: `for[3]` in a path is always a turn of a loop, never a name. */
export const segment = (name: string): string =>
  ESCAPED.test(name)
    ? name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('[', '~2').replaceAll('#', '~3')
    : name;
