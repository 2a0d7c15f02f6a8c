import type { TraceContext } from './trace-context.ts';

export type TraceAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SpanOptions {
  /** Default `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Undefined: the span begins a trace. */
  readonly parent?: TraceContext | undefined;
  /** The parent was named by a client: it may not force the recording of any number of traces. */
  readonly fromClient?: boolean;
  readonly links?: readonly TraceContext[];
  readonly attributes?: TraceAttributes;
  /** Epoch milliseconds; default: now. */
  readonly startMs?: number;
}

/** A step of a trace. A span that is never ended is not exported. */
export interface Span {
  /** What the parts that follow continue; undefined while tracing is off. */
  readonly context: TraceContext | undefined;
  /** False: attributes are not kept, and need not be collected. */
  readonly isRecorded: boolean;
  set(attributes: TraceAttributes): void;
  /** Marks the span as failed. `type` names the kind of failure: a code or the name of an error, never its text. */
  fail(type: string): void;
  /** Epoch milliseconds; default: now. */
  end(endMs?: number): void;
}

/** Records what happens to an event, a request or an execution. Contexts are passed as arguments: there is no current span. */
export interface Tracing {
  /** False: all spans are empty, and no context needs to be looked for. */
  readonly isOn: boolean;
  start(name: string, options?: SpanOptions): Span;
}

/** The span of a process that does not trace. */
export const NO_SPAN: Span = { context: undefined, isRecorded: false, set() {}, fail() {}, end() {} };

/** Tracing that is off. */
export const NO_TRACING: Tracing = { isOn: false, start: () => NO_SPAN };

/** Runs an operation as a span. The span fails when the operation rejects. */
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

/** The kind of a failure, for the attribute `error.type`. Texts of errors can hold values of users, so they are left out. */
export function failureType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  for (const given of [code, reason]) if (typeof given === 'string' && /^\w{1,64}$/.test(given)) return given;
  return error.name;
}

/** Ids of a context as fields of a log entry, by the names of the OpenTelemetry specification; none while tracing is off. */
export function traceFields(context: TraceContext | undefined): object {
  if (context === undefined) return {};
  const { traceId, spanId, sampled } = context;
  return { trace_id: traceId, span_id: spanId, trace_flags: sampled ? '01' : '00' };
}
