export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | undefined;

/** A request. It can be sent more than once. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Undefined: no body. */
  readonly json?: unknown;
  readonly form?: FormData | undefined;
  /** Body with one JSON object per line. */
  readonly lines?: string | undefined;
  /**
   * Idempotency key of a POST: the same for every attempt, so that a retry does not repeat the operation. Generated if
   * not given.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * For a POST that can be retried after a lost response. `by-key`: the service stores its idempotency key. `always`: a
   * second request changes nothing.
   */
  readonly repeatable?: 'by-key' | 'always' | undefined;
  /** ETag that the change requires. The service refuses the change if the object has changed. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Last argument of every operation. */
export interface RequestOptions {
  /** Aborts the request, its retries and its waits. The operation then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Joins path segments, each of which may contain any character (`/` becomes `%2F`). Throws a TypeError for an empty
 * segment, `.` or `..`, which would change the path.
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

/** True if a request can be sent again although the first may have been executed. */
export function isRepeatable({ method, repeatable }: Call): boolean {
  return method === 'GET' || method === 'PUT' || repeatable !== undefined;
}

/** Returns the query string, including `?`. Undefined values are omitted. */
export function queryOf(values: Readonly<Record<string, QueryValue>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(wireName(name), textOf(value));
  return query.size === 0 ? '' : `?${query}`;
}

/** Query parameters whose names on the wire are not camelCase. */
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
