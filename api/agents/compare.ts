import type { JsonValue } from '#api/executions/json-value.ts';

/**
 * Comparisons of an output with the expected one: `exact`: equal. `subset`: contains at least the expected values.
 * `schema`: valid against the expected JSON Schema.
 */
export const COMPARISONS = ['exact', 'subset', 'schema'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A difference between output and expectation: JSON pointer and description. */
export interface Difference {
  readonly path: string;
  readonly message: string;
}

/** Maximum number of differences in a report. */
export const MAX_DIFFERENCES = 50;
const MAX_VALUE = 200;

/**
 * Returns the differences of `actual` from the expectation. With `subset`, objects may have additional members at any
 * depth. Lists must have the same length, with each item matching its expectation.
 */
export function differences(
  expected: JsonValue,
  actual: JsonValue,
  comparison: Exclude<Comparison, 'schema'>,
): Difference[] {
  const found: Difference[] = [];
  const report = (path: string, message: string) => {
    if (found.length < MAX_DIFFERENCES) found.push({ path: path || '/', message });
  };
  const compare = (wanted: JsonValue, given: JsonValue | undefined, path: string): void => {
    if (found.length >= MAX_DIFFERENCES) return;
    if (given === undefined) {
      report(path, `${shown(wanted)} is expected, but the value is missing`);
      return;
    }
    if (Array.isArray(wanted) && Array.isArray(given)) {
      if (wanted.length !== given.length) report(path, `${wanted.length} items are expected, not ${given.length}`);
      else for (const [at, item] of wanted.entries()) compare(item, given[at], `${path}/${at}`);
      return;
    }
    if (isRecord(wanted) && isRecord(given)) {
      for (const [name, value] of Object.entries(wanted))
        compare(value, Object.hasOwn(given, name) ? given[name] : undefined, `${path}/${escaped(name)}`);
      if (comparison === 'exact')
        for (const name of Object.keys(given))
          if (!Object.hasOwn(wanted, name)) report(`${path}/${escaped(name)}`, 'is not expected');
      return;
    }
    if (wanted !== given) report(path, `${shown(wanted)} is expected, not ${shown(given)}`);
  };
  compare(expected, actual, '');
  return found;
}

function isRecord(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Escapes a name for a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function shown(value: JsonValue): string {
  const json = JSON.stringify(value);
  return json.length > MAX_VALUE ? `${json.slice(0, MAX_VALUE)}…` : json;
}
