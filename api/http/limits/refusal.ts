/** The reason why a request is refused. `refuseWith` of api/http throws it. */
export interface Refusal {
  /** `unavailable`: the store of the counts does not respond. */
  readonly code: 'rate_limited' | 'unavailable';
  readonly message: string;
  /** Value of `Retry-After`: whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** True for the refusal that blocked the address. Later refusals belong to the same abuse and are not reported again. */
  readonly began: boolean;
}

/** Converts ms to seconds for a header, rounded up, at least 1. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
