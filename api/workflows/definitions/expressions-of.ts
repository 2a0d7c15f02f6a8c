import { bareExpression, parseTemplate } from '#api/executions/expressions/parse-template.ts';
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
  const isFilter = FILTER_KEYS.has(key) && FILTERS.has(String(path.at(-2)));
  // Keys of data may have any name: only what stands in a task counts, and data stands under `set`, `with`, `arguments` …
  if ((isFilter ? path.slice(0, -2) : path).some((part) => DATA.has(String(part)))) return false;
  return isFilter || EXPRESSION_KEYS.has(key);
}

const DATA = new Set(['set', 'with', 'arguments', 'environment', 'input', 'headers', 'query', 'body']);
