/** Why there is no answer from upstream, once everything has been tried. */
export type UpstreamFailureKind = 'failed' | 'quota';

export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly kind: UpstreamFailureKind;
  /** Another try may go better. */
  readonly retriable: boolean;
  /** How long upstream asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: UpstreamFailureKind,
    message: string,
    options: { retriable?: boolean; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.retriable = options.retriable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
