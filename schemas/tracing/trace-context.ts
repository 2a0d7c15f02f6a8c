/** The position of a span in its trace, as W3C Trace Context passes it on. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** The trace is recorded. */
  readonly sampled: boolean;
  /** Value of `tracestate`, passed on unchanged. */
  readonly state?: string;
}

/** Names of the headers of HTTP requests and Kafka records. */
export const TRACE_HEADERS = { parent: 'traceparent', state: 'tracestate' } as const;

/** Characters of `tracestate` that every participant must pass on. A longer one is dropped: parts of it could be invalid. */
const MAX_STATE_CHARACTERS = 512;

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const STATE = /^[\x20-\x7e]+$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const SAMPLED = 1;

/** Reads the values of the two headers; undefined when `traceparent` is absent or not valid. Of later versions the fields that version 00 defines are read. */
export function parseTraceContext(parent: string | undefined, state?: string): TraceContext | undefined {
  const match = parent === undefined ? null : TRACEPARENT.exec(parent.trim());
  if (match === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  const kept = state !== undefined && state.length <= MAX_STATE_CHARACTERS && STATE.test(state) ? { state } : {};
  return { traceId, spanId, sampled, ...kept };
}

/** The value of `traceparent`. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Headers that pass a context on; none without a context. */
export function traceHeaders(context: TraceContext | undefined): Record<string, string> {
  if (context === undefined) return {};
  const { state } = context;
  return {
    [TRACE_HEADERS.parent]: formatTraceparent(context),
    ...(state === undefined ? {} : { [TRACE_HEADERS.state]: state }),
  };
}

/** A context as one text, for a column of a store; null for none, and for one that is not recorded. */
export function storedTrace(context: TraceContext | undefined): string | null {
  if (context === undefined || !context.sampled) return null;
  const parent = formatTraceparent(context);
  return context.state === undefined ? parent : `${parent} ${context.state}`;
}

/** Reads a text of `storedTrace`. */
export function readStoredTrace(stored: string | null | undefined): TraceContext | undefined {
  if (stored == null || stored === '') return undefined;
  const end = stored.indexOf(' ');
  return end < 0 ? parseTraceContext(stored) : parseTraceContext(stored.slice(0, end), stored.slice(end + 1));
}
