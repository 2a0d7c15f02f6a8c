/** Why a request is refused. Thrown by `refuseWith` of api/http. */
export interface Refusal {
  /** `unavailable`: the store that counts does not answer. */
  readonly code: 'rate_limited' | 'unavailable';
  readonly message: string;
  /** For `Retry-After`: whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
  /** More headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** True for the refusal that closed the address; later ones belong to the same abuse and are not reported again. */
  readonly began: boolean;
}

/** Seconds for a header: rounded up, at least 1. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
