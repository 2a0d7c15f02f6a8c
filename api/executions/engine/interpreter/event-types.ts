import type { JsonValue } from '../../json-value.ts';
import { get, getText, isList, isObject } from './json.ts';

/** Returns all event types that a value names, at any depth. */
export function eventTypes(value: JsonValue | undefined): readonly string[] {
  if (isList(value)) return value.flatMap(eventTypes);
  if (!isObject(value)) return [];
  const type = getText(get(value, 'with'), 'type');
  return type === undefined ? Object.values(value).flatMap(eventTypes) : [type];
}
