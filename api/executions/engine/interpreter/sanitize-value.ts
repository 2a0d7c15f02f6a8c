import type { JsonValue } from '../../json-value.ts';
import { fault } from './faults.ts';

const MAX_DEPTH = 200;

/**
 * Sanitises external values before the run may read them: inputs, results, events and overrides. Rejects an object with
 * the key `$secret`, because a worker would resolve it as a reference and send the secret. Replaces invalid Unicode
 * with U+FFFD, as expressions do. Returns the same value if nothing changes.
 */
export function sanitizeValue(value: JsonValue, path: string, depth = 0): JsonValue {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw fault('validation', `external data is nested more than ${MAX_DEPTH} deep`, path);
  let changed = false;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => {
      const taken = sanitizeValue(item, path, depth + 1);
      changed ||= taken !== item;
      return taken;
    });
    return changed ? items : value;
  }
  const object = value as { readonly [name: string]: JsonValue };
  const names = Object.keys(object);
  const items = names.map((name) => {
    if (name === '$secret') throw fault('validation', 'external data must not have the key "$secret"', path);
    const item = object[name] as JsonValue;
    const taken = sanitizeValue(item, path, depth + 1);
    changed ||= taken !== item || !name.isWellFormed();
    return taken;
  });
  return changed ? Object.fromEntries(names.map((name, at) => [name.toWellFormed(), items[at] as JsonValue])) : value;
}
