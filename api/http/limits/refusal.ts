/** Why a request goes no further. Thrown by `refuseWith` of api/http. */
export interface Refusal {
  /** `unavailable`: whether there is room can't be known right now. */
  readonly code: 'rate_limited' | 'unavailable';
  readonly message: string;
  /** For `Retry-After`: whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
  /** What else the answer carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** True for the one refusal that closed the address; those after it are the same abuse, and no news. */
  readonly began: boolean;
}

/** Seconds as headers take them: whole ones, never 0, and never too few. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
