import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** An event on its way out. */
export interface OutgoingEvent {
  /** One line of JSON, without its end. */
  readonly json: string;
  readonly hostname: string | null;
  /** `<boot id>:<sequence number>`, the same when the line is read again; null for sources without a memory. */
  readonly ingestId: string | null;
  /** What the receiver continues; absent for events whose trace is not recorded. */
  readonly trace?: TraceContext | undefined;
}

export interface EventSink {
  /**
   * Resolves when the events are safe: written, acknowledged by the receiver, or on the disk of the spool. Several writes may
   * be in flight; they are delivered in the order of the calls. Rejects with `SinkClosedError` after the receiver closed the output.
   */
  write(events: readonly OutgoingEvent[]): Promise<void>;
  /** What waits on the disk, and what could not be delivered; sinks without a spool have none. */
  backlog?(): SinkBacklog;
  /** Sends what it still holds, within the bounds of the sink, and frees everything. */
  close(): Promise<void>;
}

export interface SinkBacklog {
  /** When the oldest event in the spool was collected, ms since the epoch; null: the spool is empty. */
  readonly oldestMs: number | null;
  /** Events that the receiver refused. */
  readonly refused: number;
  /** Events that found no room in the spool. */
  readonly dropped: number;
}

/** The receiving end went away for good, e.g. the reader of a pipe: a reason to stop, not to complain. */
export class SinkClosedError extends Error {
  override readonly name = 'SinkClosedError';
}

/** The sink was closed before the receiver had taken everything, and there was no spool to keep the rest: the input has it still. */
export class UndeliveredError extends Error {
  override readonly name = 'UndeliveredError';

  constructor(options?: ErrorOptions) {
    super('stopped before the receiver took all events: read the input again when it does', options);
  }
}

/** The receiver refused the key before it had taken anything: no retry helps, the configuration is wrong. */
export class KeyRefusedError extends Error {
  override readonly name = 'KeyRefusedError';

  constructor(url: URL, reason: string) {
    super(
      `${url.origin} refused the API key (${reason}): set TRAPLINE_API_KEY to a key that is valid and has the scope events:write`,
    );
  }
}
