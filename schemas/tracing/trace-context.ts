/** The position of a span in its trace, as propagated by W3C Trace Context. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** True if the trace is recorded. */
  readonly sampled: boolean;
  /** Value of `tracestate`, passed on unchanged. */
  readonly state?: string;
}

/** Names of the headers of HTTP requests and Kafka records. */
export const TRACE_HEADERS = { parent: 'traceparent', state: 'tracestate' } as const;

/**
 * Every participant must propagate this many characters of `tracestate`. A longer value is dropped, because a truncated
 * one could be invalid.
 */
const MAX_STATE_CHARACTERS = 512;

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const STATE = /^[\x20-\x7e]+$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const SAMPLED = 1;

/**
 * Parses the values of the two headers. Returns undefined if `traceparent` is absent or invalid. From later versions,
 * reads the fields of version 00.
 */
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

/** Formats the header `traceparent`. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Returns the headers that propagate a context; empty without a context. */
export function traceHeaders(context: TraceContext | undefined): Record<string, string> {
  if (context === undefined) return {};
  const { state } = context;
  return {
    [TRACE_HEADERS.parent]: formatTraceparent(context),
    ...(state === undefined ? {} : { [TRACE_HEADERS.state]: state }),
  };
}

/** Formats a context for a column of a store. Returns null if there is no context, or if it is not recorded. */
export function storedTrace(context: TraceContext | undefined): string | null {
  if (context === undefined || !context.sampled) return null;
  const parent = formatTraceparent(context);
  return context.state === undefined ? parent : `${parent} ${context.state}`;
}

/** Parses the output of `storedTrace`. */
export function readStoredTrace(stored: string | null | undefined): TraceContext | undefined {
  if (stored == null || stored === '') return undefined;
  const end = stored.indexOf(' ');
  return end < 0 ? parseTraceContext(stored) : parseTraceContext(stored.slice(0, end), stored.slice(end + 1));
}
