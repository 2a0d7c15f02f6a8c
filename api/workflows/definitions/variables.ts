import type { JsonValue } from '#api/executions/json-value.ts';
import { isRecord, type JsonRecord, type Path, walk } from './walk.ts';

/**
 * Available everywhere. `authorization` of the language is not supported: see `UNDEFINED` in `check-expressions.ts`.
 */
const ALWAYS = ['context', 'input', 'secrets', 'workflow', 'runtime'];
/** Variables of an event filter, which is evaluated for each event. */
const OF_EVENT = ['context', 'input'];
/** Variables of keys and priorities of limits. */
const OF_LIMITS = ['input'];

/**
 * Returns a function from a path to the variables (without `$`) that an expression there may use. The result may
 * include unavailable ones, but never lacks an available one.
 */
export function variablesAt(definition: JsonRecord): (path: Path) => readonly string[] {
  const all = allNames(definition);
  return (path) => {
    const [root, group] = path;
    if (root === 'schedule') return [];
    if (root === 'document') return OF_LIMITS;
    // Policies and extensions are evaluated in the places that use them.
    if (root === 'use' && group !== 'functions') return all;
    if (isOfEvent(path)) return OF_EVENT;
    return [...scopeOf(definition, path)];
  };
}

/** True within `with.data` and `correlate.….from` of an event filter. */
function isOfEvent(path: Path): boolean {
  const listens = path.findIndex((key, index) => key === 'listen' && path[index + 1] === 'to');
  if (listens === -1) return false;
  const rest = path.slice(listens + 2);
  const at = rest.findIndex((key) => key === 'with' || key === 'correlate');
  return (rest[at] === 'with' && rest[at + 1] === 'data') || (rest[at] === 'correlate' && rest.at(-1) === 'from');
}

/** Walks along a path and collects the variables that the enclosing tasks define. */
function scopeOf(definition: JsonRecord, path: Path): ReadonlySet<string> {
  const names = new Set(ALWAYS);
  if (path[0] === 'do' || path[0] === 'use') names.add('task');
  let value: JsonValue | undefined = definition;
  for (const [index, key] of path.entries()) {
    if (isRecord(value)) for (const name of definedBy(value, key, path[index + 1])) names.add(name);
    value = memberOf(value, key);
  }
  return names;
}

/** Returns the variables that a value defines for the values below one of its keys. */
function definedBy(value: JsonRecord, key: string | number, next: string | number | undefined): readonly string[] {
  switch (key) {
    case 'do':
    case 'while':
      return isRecord(value.for) ? [nameOf(value.for.each, 'item'), nameOf(value.for.at, 'index')] : [];
    case 'foreach':
      return isRecord(value.foreach) ? [nameOf(value.foreach.item, 'item'), nameOf(value.foreach.at, 'index')] : [];
    case 'catch':
      return isRecord(value.catch) ? [nameOf(value.catch.as, 'error')] : [];
    case 'output':
    case 'export':
      return next === 'as' ? ['output'] : [];
    default:
      return [];
  }
}

const nameOf = (given: JsonValue | undefined, otherwise: string): string =>
  typeof given === 'string' && NAME.test(given) ? given : otherwise;

const NAME = /^[A-Za-z_]\w*$/;

function memberOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isRecord(value) ? value[String(key)] : undefined;
}

/** Returns all variables that any place of the definition has. */
function allNames(definition: JsonRecord): readonly string[] {
  const names = new Set([...ALWAYS, 'task', 'output', 'error', 'item', 'index']);
  walk(definition, (value, path) => {
    const key = path.at(-1);
    const named = key === 'each' || key === 'at' || key === 'as' || key === 'item';
    if (named && typeof value === 'string' && NAME.test(value)) names.add(value);
  });
  return [...names];
}
