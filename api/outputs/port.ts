import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { CaseMessage } from './cases/case-message.ts';

/** Why a message is sent: a new detection, more evidence, closed by an analyst, or a test of the output. */
export type OutputCause = 'opened' | 'grown' | 'closed' | 'test';

/** One message. A detection in one revision is sent once per cause. */
export interface OutputMessage {
  /** Sequence number among all messages, increasing. 0 for a test. */
  readonly seq: number;
  readonly cause: OutputCause;
  /** The detection at the time of the cause. */
  readonly detection: Detection;
  /** When its cause occurred. */
  readonly at: Date;
  /** Trace that the receiver continues. */
  readonly trace?: TraceContext | undefined;
}

/** The response of the receiver, if any: one line for people. */
export interface Delivery {
  readonly answer: string;
}

/** A receiver. `openOutput` creates it from a definition. One process at a time delivers to it. */
export interface Output {
  /** Maximum number of messages per delivery. This number may be delivered twice if the process dies. */
  readonly maxBatch: number;
  /**
   * Sends messages to the receiver in order. Resolves when it has received all. Rejects only with `OutputFailure`.
   * `signal` aborts after a time-out and when the process stops; nothing may be sent after that.
   */
  deliver(batch: readonly OutputMessage[], signal: AbortSignal): Promise<Delivery>;
  /** Sends one message about a case, with the rules of `deliver`. Absent for kinds that send only detections. */
  deliverCase?(message: CaseMessage, signal: AbortSignal): Promise<Delivery>;
  /** Closes connections. */
  close(): Promise<void>;
}

/**
 * `temporary`: the receiver is unavailable or refuses the connection; all messages wait, in order. `permanent`: the
 * receiver responded and will never accept this message; it becomes a dead letter.
 */
export type OutputFailureKind = 'temporary' | 'permanent';

export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
  readonly kind: OutputFailureKind;
  /** Number of messages at the start of the batch that were delivered. The failure concerns the next one. */
  readonly delivered: number;
  /** Pause that the receiver requests before the next attempt, ms. */
  readonly retryAfterMs: number | undefined;
  /** True if the receiver responded with an error (5xx): this message may be the cause. */
  readonly answered: boolean;

  /** `message` is shown with the deliveries. It must contain no secret and no part of the detection. */
  constructor(
    kind: OutputFailureKind,
    message: string,
    {
      delivered = 0,
      retryAfterMs,
      answered = false,
      cause,
    }: { delivered?: number; retryAfterMs?: number | undefined; answered?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.delivered = delivered;
    this.retryAfterMs = retryAfterMs;
    this.answered = answered;
  }
}
