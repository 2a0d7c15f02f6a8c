import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** An event as it is sent. */
export interface OutgoingEvent {
  /** One line of JSON, without the line end. */
  readonly json: string;
  readonly hostname: string | null;
  /** `<boot id>:<sequence number>`, equal when the line is read again; null for sources that cannot resume. */
  readonly ingestId: string | null;
  /** The trace context that the receiver continues; absent if the trace is not recorded. */
  readonly trace?: TraceContext | undefined;
}

export interface EventSink {
  /**
   * Resolves when the events are durable: written, acknowledged by the receiver, or in the spool on disk. Several
   * writes may be in flight; they are delivered in call order. Rejects with `SinkClosedError` after the reader has
   * closed the output.
   */
  write(events: readonly OutgoingEvent[]): Promise<void>;
  /** Returns the backlog on disk, and the numbers of undeliverable events. Absent for sinks without a spool. */
  backlog?(): SinkBacklog;
  /** Sends remaining events within the limits of the sink, and releases all resources. */
  close(): Promise<void>;
}

export interface SinkBacklog {
  /** When the oldest event in the spool was collected, ms since the epoch; null if the spool is empty. */
  readonly oldestMs: number | null;
  /** Number of events that the receiver rejected. */
  readonly refused: number;
  /** Number of events dropped because the spool was full. */
  readonly dropped: number;
}

/** The receiver has closed the output, e.g. the reader of a pipe. The detector stops without an error. */
export class SinkClosedError extends Error {
  override readonly name = 'SinkClosedError';
}

/**
 * The sink was closed before the receiver had accepted all events, and there is no spool for the rest. The source still
 * has them.
 */
export class UndeliveredError extends Error {
  override readonly name = 'UndeliveredError';

  constructor(options?: ErrorOptions) {
    super('stopped before the receiver took all events: read the input again when it does', options);
  }
}

/**
 * The receiver rejected the API key before it accepted any event. A retry cannot help, because the configuration is
 * wrong.
 */
export class KeyRefusedError extends Error {
  override readonly name = 'KeyRefusedError';

  constructor(url: URL, reason: string) {
    super(
      `${url.origin} refused the API key (${reason}): set TRAPLINE_API_KEY to a key that is valid and has the scope events:write`,
    );
  }
}
