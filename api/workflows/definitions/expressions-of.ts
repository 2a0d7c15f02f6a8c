import { bareExpression, parseTemplate } from '#api/executions/expressions/parse-template.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { type JsonRecord, type Path, walk } from './walk.ts';

export interface FoundExpression {
  readonly path: Path;
  /** jq, without `${ }`. */
  readonly expression: string;
}

/** Keys whose text is an expression, with or without `${ }`. */
const EXPRESSION_KEYS = new Set(['if', 'when', 'exceptWhen', 'while', 'until', 'in']);
/** `input.from`, `output.as`, `export.as`, and `from` of what correlates: the same; elsewhere these keys hold names. */
const FILTER_KEYS = new Set(['from', 'as']);
const FILTERS = new Set(['input', 'output', 'export']);
/** Text that has its own meaning for `${`, or none. */
const NO_EXPRESSIONS = new Set(['code', 'document', 'metadata', 'schema', 'title', 'summary', 'description']);

/** Every expression of a definition with its place. */
export function expressionsOf(definition: JsonRecord): FoundExpression[] {
  const found: FoundExpression[] = [];
  walk(definition, (value, path) => {
    if (typeof value !== 'string' || path.some((key) => NO_EXPRESSIONS.has(String(key)))) return;
    for (const expression of expressionsIn(value, path)) found.push({ path, expression });
  });
  return found;
}

function expressionsIn(text: string, path: Path): string[] {
  if (isExpressionPlace(path)) return [bareExpression(text)];
  const template = parseTemplate(text);
  if (template.kind === 'expression') return [template.expression];
  if (template.kind === 'literal') return [];
  return template.parts.flatMap((part) => ('expression' in part ? [part.expression] : []));
}

function isExpressionPlace(path: Path): boolean {
  const key = String(path.at(-1));
  // Keys of data may have any name: only what stands in a task counts, and data stands under `set`, `with`, `arguments` …
  if (path.some((part) => DATA.has(String(part)))) return false;
  return EXPRESSION_KEYS.has(key) || (FILTER_KEYS.has(key) && FILTERS.has(String(path.at(-2))));
}

const DATA = new Set(['set', 'with', 'arguments', 'environment', 'input', 'headers', 'query', 'body']);

/** Names under which loops and catches put values, and those that are always there. `authorization` of the language is not: see `UNDEFINED`. */
export function variableNames(definition: JsonValue): string[] {
  const names = new Set([
    'context',
    'input',
    'output',
    'secrets',
    'task',
    'workflow',
    'runtime',
    'error',
    'item',
    'index',
  ]);
  walk(definition, (value, path) => {
    const key = path.at(-1);
    const named = key === 'each' || key === 'at' || key === 'as' || key === 'item';
    if (named && typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value)) names.add(value);
  });
  return [...names];
}
