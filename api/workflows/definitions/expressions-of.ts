import { eventExpressions } from '#api/executions/engine/interpreter/event-expressions.ts';
import { kindOf, taskKind } from '#api/executions/engine/kind-registry.ts';
import { bareExpression, parseTemplate } from '#api/executions/expressions/parse-template.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { isRecord, type JsonRecord, type Path, tasksOf } from './walk.ts';

export interface FoundExpression {
  readonly path: Path;
  /** jq, without `${ }`. */
  readonly expression: string;
}

/** Paths of strings below a part of a definition: keys separated by `/`, where `*` is every key. */
interface Places {
  /** The string is an expression, with or without `${ }`. */
  readonly expressions: readonly string[];
  /** Nothing is evaluated here: `${` is literal or has another meaning. */
  readonly plain: readonly string[];
}

/** Paths of all tasks. The file of a kind declares its additional paths. */
const OF_TASK: Places = {
  expressions: ['if', 'input/from', 'output/as', 'export/as'],
  plain: ['input/schema', 'output/schema', 'export/schema', 'metadata'],
};

const OF_WORKFLOW: Places = {
  expressions: [
    'input/from',
    'output/as',
    'use/extensions/*/*/when',
    'use/retries/*/when',
    'use/retries/*/exceptWhen',
    ...eventExpressions('schedule/on'),
  ],
  plain: ['document', 'input/schema', 'output/schema'],
};

/**
 * Returns all expressions of a definition with their paths: bare ones where the language requires an expression, and
 * those in `${ }` in all evaluated strings.
 */
export function expressionsOf(definition: JsonRecord): FoundExpression[] {
  const bare = new Set<string>();
  const plain = new Set<string>();
  const note = (of: JsonRecord, path: Path, places: Places): void => {
    for (const place of places.expressions) for (const at of placesOf(of, place)) bare.add(keyOf([...path, ...at]));
    for (const place of places.plain) for (const at of placesOf(of, place)) plain.add(keyOf([...path, ...at]));
  };
  note(definition, [], OF_WORKFLOW);
  for (const { task, path } of tasksOf(definition)) {
    note(task, path, OF_TASK);
    const key = kindOf(task);
    const kind = key === undefined ? undefined : taskKind(key);
    note(task, path, { expressions: kind?.expressions?.(task) ?? [], plain: kind?.plain ?? [] });
  }

  const found: FoundExpression[] = [];
  const visit = (value: JsonValue, path: Path): void => {
    if (typeof value !== 'string' && (value === null || typeof value !== 'object')) return;
    const key = keyOf(path);
    if (plain.has(key)) return;
    if (typeof value === 'string') {
      const expressions = bare.has(key) ? [bareExpression(value)] : expressionsIn(value);
      for (const expression of expressions) found.push({ path, expression });
      return;
    }
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [name, inner] of entries) visit(inner as JsonValue, [...path, name]);
  };
  visit(definition, []);
  return found;
}

const keyOf = (path: Path): string => JSON.stringify(path);

function expressionsIn(text: string): string[] {
  const template = parseTemplate(text);
  if (template.kind === 'expression') return [template.expression];
  if (template.kind === 'literal') return [];
  return template.parts.flatMap((part) => ('expression' in part ? [part.expression] : []));
}

/** Returns the existing paths that match a pattern. */
function placesOf(value: JsonValue, place: string): Path[] {
  let found: { readonly value: JsonValue; readonly path: Path }[] = [{ value, path: [] }];
  for (const step of place.split('/'))
    found = found.flatMap(({ value: at, path }) =>
      membersOf(at, step).map(([key, inner]) => ({ value: inner, path: [...path, key] })),
    );
  return found.map(({ path }) => path);
}

function membersOf(value: JsonValue, step: string): (readonly [string | number, JsonValue])[] {
  if (Array.isArray(value)) return step === '*' ? [...value.entries()] : [];
  if (!isRecord(value)) return [];
  if (step === '*') return Object.entries(value);
  const inner = Object.hasOwn(value, step) ? value[step] : undefined;
  return inner === undefined ? [] : [[step, inner]];
}
