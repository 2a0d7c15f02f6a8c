export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The part of a wait that is needed to build the event that ends it. */
export interface Answered {
  readonly filters: readonly {
    readonly with: { readonly [name: string]: unknown };
    readonly correlate: { readonly [name: string]: { readonly from: string; readonly expect?: unknown } };
  }[];
}

/** An event that continues an execution, without its id. */
export interface AnswerEvent {
  readonly specversion: '1.0';
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly data: Json;
}

/** `${ .data.execution }`: a plain path into the data, whose value can be set. */
const PLAIN_PATH = /^\s*(?:\$\{)?\s*\.data((?:\.[A-Za-z_][A-Za-z0-9_]*)+)\s*\}?\s*$/;
/** Strings with these characters are patterns or expressions, not values. */
const NOT_A_VALUE = /[*+?[\](){}|^$\\]/;

/**
 * Builds the event that ends a wait from its filters: exact attributes, exact data, and the correlation with the
 * execution. `complete` is false if a filter contains a pattern or an expression, so that the user must edit the event.
 */
export function answerTo(
  wait: Answered,
  decision: { readonly [name: string]: Json },
): { event: AnswerEvent; complete: boolean } {
  const filter = wait.filters[0];
  let complete = wait.filters.length === 1;
  const attribute = (name: string): string | undefined => {
    const value = filter?.with[name];
    if (typeof value === 'string' && !NOT_A_VALUE.test(value)) return value;
    if (value !== undefined) complete = false;
    return undefined;
  };
  const type = attribute('type');
  if (type === undefined) complete = false;
  const source = attribute('source') ?? 'trapline-console';
  const subject = attribute('subject');
  let data: { [name: string]: Json } = { ...decision };
  const wanted = filter?.with.data;
  if (isRecord(wanted)) data = { ...(wanted as { [name: string]: Json }), ...data };
  else if (wanted !== undefined) complete = false;
  for (const { from, expect } of Object.values(filter?.correlate ?? {})) {
    const path = PLAIN_PATH.exec(from)?.[1]?.slice(1).split('.');
    if (path === undefined || expect === undefined) complete = false;
    else data = put(data, path, expect as Json);
  }
  return {
    event: { specversion: '1.0', source, type: type ?? '', ...(subject === undefined ? {} : { subject }), data },
    complete,
  };
}

/** Returns false for events that only the service itself can send. */
export function isAnswerable({ filters }: Answered): boolean {
  return filters.some(({ with: { type } }) => typeof type !== 'string' || !type.toLowerCase().startsWith('trapline.'));
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a random event id. Events with the same id are deduplicated. */
export function eventId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function put(into: { readonly [name: string]: Json }, path: readonly string[], value: Json): { [name: string]: Json } {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return { ...into, [name]: value };
  const inner = into[name];
  return { ...into, [name]: put(isRecord(inner) ? (inner as { [name: string]: Json }) : {}, rest, value) };
}
