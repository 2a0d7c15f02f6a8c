import type { Detection } from '#schemas/detection.ts';

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
}

/** The response of the receiver, if it sends one. One line, for people. */
export interface Delivery {
  readonly answer: string;
}

/** A receiver. Made from its definition by `openOutput`; one process at a time delivers to it. */
export interface Output {
  /** Messages of one delivery at most: what may come twice when a process dies in the middle. */
  readonly atOnce: number;
  /**
   * Hands messages to the receiver, in their order; resolves when it has them all. Rejects with `OutputFailure` only. `signal`: no caller waits
   * any longer, because it takes too long or the process stops; nothing may be sent after that.
   */
  deliver(batch: readonly OutputMessage[], signal: AbortSignal): Promise<Delivery>;
  /** Lets go of connections. */
  close(): Promise<void>;
}

/**
 * `temporary`: the receiver is unavailable, or refuses the connection; everything waits for it, in order. `permanent`: it answered, and does not want this
 * one message, however often it is sent.
 */
export type OutputFailureKind = 'temporary' | 'permanent';

export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
  readonly kind: OutputFailureKind;
  /** So many at the start of the batch were taken; the failure is of the one after them. */
  readonly delivered: number;
  /** The receiver asks not to be tried again before, ms. */
  readonly retryAfterMs: number | undefined;
  /** The receiver is there and says that something is wrong on its side: it may be this one message that it can not bear. */
  readonly answered: boolean;

  /** `message` goes into the view of deliveries: no secret, nothing of the detection. */
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
