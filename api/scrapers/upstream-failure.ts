/** Why there is no upstream answer after all attempts. */
export type UpstreamFailureKind = 'failed' | 'quota';

export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly kind: UpstreamFailureKind;
  /** True if a retry may succeed. */
  readonly retriable: boolean;
  /** Pause that upstream requested. */
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
