export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | undefined;

/** What is asked for; it can be sent more than once. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Undefined: no body. */
  readonly json?: unknown;
  readonly form?: FormData | undefined;
  /** One JSON object a line. */
  readonly lines?: string | undefined;
  /** Of a POST: the same for every attempt, so that a second one finds what the first did. Made when not given. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Of a POST that can be sent again when its answer was lost. `by-key`: the service keeps its idempotency key. `always`: a second one changes
   * nothing.
   */
  readonly repeatable?: 'by-key' | 'always' | undefined;
  /** ETag of what is to be changed: refused when it changed since. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What every operation takes last. */
export interface RequestOptions {
  /** Ends the request, its retries and its waits; the operation then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A path from its segments, each of which may hold any character (`/` becomes `%2F`). Throws a TypeError when one is empty, `.` or `..`, which
 * would be another path.
 */
export function pathOf(...segments: readonly string[]): string {
  return segments
    .map((segment) => {
      if (segment === '' || segment === '.' || segment === '..')
        throw new TypeError(`${JSON.stringify(segment)} can't be an id or a name`);
      return `/${encodeURIComponent(segment)}`;
    })
    .join('');
}

/** Whether a request can be sent again although the first may have been carried out. */
export function isRepeatable({ method, repeatable }: Call): boolean {
  return method === 'GET' || method === 'PUT' || repeatable !== undefined;
}

/** A query as it goes over the wire, `?` included; what is undefined is left out. */
export function queryOf(values: Readonly<Record<string, QueryValue>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(wireName(name), textOf(value));
  return query.size === 0 ? '' : `?${query}`;
}

/** Names of a query that are not camelCase. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  waitForCompletion: 'wait_for_completion',
  waitForReply: 'wait_for_reply',
};

function wireName(name: string): string {
  return Object.hasOwn(WIRE_NAMES, name) ? (WIRE_NAMES[name] as string) : name;
}

function textOf(value: Exclude<QueryValue, undefined>): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map((one) => String(one).replaceAll(',', '\\,')).join(',') : String(value);
}
