import type { TraceContext } from './trace-context.ts';

export type TraceAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SpanOptions {
  /** Default `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** If undefined, the span starts a trace. */
  readonly parent?: TraceContext | undefined;
  /** True if a client set the parent. The number of recorded traces is then limited. */
  readonly fromClient?: boolean;
  readonly links?: readonly TraceContext[];
  readonly attributes?: TraceAttributes;
  /** Epoch milliseconds. Default: now. */
  readonly startMs?: number;
}

/** A span. It is exported only when it is ended. */
export interface Span {
  /** The context for child spans; undefined while tracing is off. */
  readonly context: TraceContext | undefined;
  /** If false, attributes are dropped and need not be collected. */
  readonly isRecorded: boolean;
  set(attributes: TraceAttributes): void;
  /** Marks the span as failed. `type` is an error code or an error name, never an error message. */
  fail(type: string): void;
  /** Epoch milliseconds. Default: now. */
  end(endMs?: number): void;
}

/** Starts spans. Contexts are passed as arguments; there is no current span. */
export interface Tracing {
  /** If false, all spans are empty and contexts need not be looked up. */
  readonly isOn: boolean;
  start(name: string, options?: SpanOptions): Span;
}

/** A span that is not recorded. */
export const NO_SPAN: Span = { context: undefined, isRecorded: false, set() {}, fail() {}, end() {} };

/** Tracing that is turned off. */
export const NO_TRACING: Tracing = { isOn: false, start: () => NO_SPAN };

/** Runs an operation in a span. The span fails if the operation rejects. */
export async function inSpan<T>(
  tracing: Tracing,
  name: string,
  options: SpanOptions,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  if (!tracing.isOn) return run(NO_SPAN);
  const span = tracing.start(name, options);
  try {
    return await run(span);
  } catch (error) {
    span.fail(failureType(error));
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Returns the kind of a failure for the attribute `error.type`. Error messages are omitted, because they can contain
 * values of users.
 */
export function failureType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  for (const given of [code, reason]) if (typeof given === 'string' && /^\w{1,64}$/.test(given)) return given;
  return error.name;
}

/**
 * Returns the ids of a context as fields of a log entry, named as in the OpenTelemetry specification. Empty while
 * tracing is off.
 */
export function traceFields(context: TraceContext | undefined): object {
  if (context === undefined) return {};
  const { traceId, spanId, sampled } = context;
  return { trace_id: traceId, span_id: spanId, trace_flags: sampled ? '01' : '00' };
}
