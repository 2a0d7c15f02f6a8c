import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { CaseMessage } from './cases/case-message.ts';

/** Why a message is sent: seen for the first time, more evidence, closed by an analyst; or a test of the output. */
export type OutputCause = 'opened' | 'grown' | 'closed' | 'test';

/** One message. A detection in one revision is sent once for each cause. */
export interface OutputMessage {
  /** Its sequence number among all; later messages have a greater one. 0 for a test. */
  readonly seq: number;
  readonly cause: OutputCause;
  /** As it was then. */
  readonly detection: Detection;
  /** When its cause occurred. */
  readonly at: Date;
  /** What the receiver continues. */
  readonly trace?: TraceContext | undefined;
}

/** The response of the receiver, if it sends one. One line, for people. */
export interface Delivery {
  readonly answer: string;
}

/** A receiver. `openOutput` makes it from a definition; one process at a time delivers to it. */
export interface Output {
  /** Most messages of one delivery. As many may be delivered twice when the process dies. */
  readonly maxBatch: number;
  /**
   * Sends messages to the receiver in order; resolves when it has them all. Rejects only with `OutputFailure`. `signal` aborts after a
   * timeout and when the process stops; nothing may be sent after that.
   */
  deliver(batch: readonly OutputMessage[], signal: AbortSignal): Promise<Delivery>;
  /** Sends one message about a case; as `deliver`. Absent for kinds that send detections only. */
  deliverCase?(message: CaseMessage, signal: AbortSignal): Promise<Delivery>;
  /** Closes connections. */
  close(): Promise<void>;
}

/**
 * `temporary`: the receiver is unavailable or refuses the connection; all messages wait, in order. `permanent`: the receiver responded and
 * will never accept this message; it becomes a dead letter.
 */
export type OutputFailureKind = 'temporary' | 'permanent';

export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
  readonly kind: OutputFailureKind;
  /** Number of messages at the start of the batch that were delivered; the failure is of the next one. */
  readonly delivered: number;
  /** The receiver asks for this pause before the next attempt, ms. */
  readonly retryAfterMs: number | undefined;
  /** The receiver responded with an error of its own (5xx): this one message may be the cause. */
  readonly answered: boolean;

  /** `message` is shown with the deliveries: it must contain no secret and nothing of the detection. */
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
