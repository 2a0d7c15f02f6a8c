import { type Document, type Operation, operationsOf, type Schema } from '#api/http/description/document.ts';

/** A list route that differs from the common form, and the reason. */
export interface ListException {
  /** Accepted differences of this route. */
  readonly allowed: readonly Difference[];
  /** The sentence of the contract, or why the common form does not fit. */
  readonly reason: string;
}

export type Difference = 'envelope' | 'maximum' | 'default' | 'bounds' | 'single-value';

/** A difference from the common form, as a sentence. */
export interface Finding {
  readonly operationId: string;
  readonly difference: Difference;
  readonly detail: string;
}

/** Parameters that take one value: the order, the format and the grouping of a response. */
const OF_ONE_VALUE = new Set(['sort', 'order', 'format', 'by']);
/** Names of time bounds other than the common ones. */
const OTHER_BOUNDS = /(?:After|Before|Date|Since|Until)$/;
const OFFSET_PAGE = { maximum: 100, default: 50 };
const CURSOR_PAGE = { maximum: 1_000, default: 100 };

/**
 * Returns the differences of the list routes from the common form: - The records are in `data`. A list without `limit`
 * is complete. Others have `limit` and `nextCursor`, or `limit`, `offset` and `total`. - `limit` is at most 100
 * (default 50) with `offset`, at most 1,000 (default 100) with `cursor`. - Time bounds are `from` and `to`. - A filter
 * with an enumeration accepts several values.
 */
export function differencesOf(document: Document): Finding[] {
  return operationsOf(document).flatMap(({ method, operation }) =>
    method === 'get' && isList(document, operation) ? differencesOfList(document, operation) : [],
  );
}

/** Operations of the lists with `offset`. */
export function listsByOffset(document: Document): string[] {
  return operationsOf(document).flatMap(({ operation }) =>
    queryOf(operation).has('offset') ? [operation.operationId ?? ''] : [],
  );
}

function isList(document: Document, operation: Operation): boolean {
  return /^(?:list|search)[A-Z]/.test(operation.operationId ?? '') || queryOf(operation).has('limit')
    ? bodyOf(document, operation) !== undefined
    : false;
}

function differencesOfList(document: Document, operation: Operation): Finding[] {
  const { operationId = '' } = operation;
  const query = queryOf(operation);
  const limit = query.get('limit');
  const body = bodyOf(document, operation);
  const fields = new Set(Object.keys(body?.properties ?? {}));
  const findings: Finding[] = [];
  const add = (difference: Difference, detail: string) => findings.push({ operationId, difference, detail });

  if (!isArray(document, body?.properties?.data)) add('envelope', 'the records are not in `data`');
  if (limit !== undefined && !query.has('cursor') && !query.has('offset'))
    add('envelope', '`limit` without `cursor` or `offset`');
  const page = query.has('cursor') ? ['limit', 'nextCursor'] : query.has('offset') ? ['limit', 'offset', 'total'] : [];
  for (const field of page) if (!fields.has(field)) add('envelope', `\`${field}\` is missing in the answer`);

  if (limit !== undefined) {
    const common = query.has('offset') ? OFFSET_PAGE : CURSOR_PAGE;
    if (limit.maximum !== common.maximum) add('maximum', `${limit.maximum} instead of ${common.maximum}`);
    const value = (limit as { default?: unknown }).default ?? limit.example;
    if (value !== common.default) add('default', `${String(value)} instead of ${common.default}`);
  }
  const others = [...query.keys()].filter((name) => OTHER_BOUNDS.test(name));
  if (others.length > 0 && !(query.has('from') && query.has('to')))
    add('bounds', `${others.join(', ')} without \`from\` and \`to\``);
  for (const [name, { enum: words }] of query)
    if (words !== undefined && !OF_ONE_VALUE.has(name)) add('single-value', `\`${name}\` takes one value only`);
  return findings;
}

function queryOf({ parameters = [] }: Operation): ReadonlyMap<string, Schema> {
  return new Map(parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]));
}

function bodyOf(document: Document, { responses }: Operation): Schema | undefined {
  return resolved(document, responses['200']?.content?.['application/json']?.schema);
}

function isArray(document: Document, schema: Schema | undefined): boolean {
  return resolved(document, schema)?.type === 'array';
}

function resolved(document: Document, schema: Schema | undefined): Schema | undefined {
  if (schema?.$ref === undefined) return schema;
  return document.components.schemas?.[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
}
