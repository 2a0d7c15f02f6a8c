import { type Refusal, wholeSeconds } from '#api/http/limits/refusal.ts';
import { type SharedState, SharedStateUnavailable, type WindowLimit } from '#api/shared-state/port.ts';

/** Limits the tries of second factors of one account, from all addresses. */
export interface TryLimits {
  /** Counts a try before it is made; undefined: it may be made. Without the shared state all tries are refused. */
  take(userId: string): Promise<Refusal | undefined>;
  /** After success: forgets the tries. */
  succeeded(userId: string): Promise<void>;
}

/** Tries of codes of one account: 3 of a million codes are valid at a time. */
export const SECOND_FACTOR_TRIES: WindowLimit = { limit: 10, windowMs: 10 * 60_000 };
/** So that patience does not help: a chance of one in 3,000 a day for who knows the password. */
const DAY: WindowLimit = { limit: 100, windowMs: 24 * 3_600_000 };
/** Redis is usually back within seconds. */
const UNAVAILABLE_RETRY_SECONDS = 5;

export function createTryLimits(
  { shared }: { readonly shared: Pick<SharedState, 'windows'> },
  tries: WindowLimit = SECOND_FACTOR_TRIES,
): TryLimits {
  const keysOf = (userId: string) => ({ short: `second-factor:${userId}`, day: `second-factor-day:${userId}` });
  return {
    async take(userId) {
      const { short, day } = keysOf(userId);
      try {
        const counted = await shared.windows.take([
          { key: short, ...tries },
          { key: day, ...DAY },
        ]);
        return counted.allowed ? undefined : refusal('rate_limited', 'too many tries', wholeSeconds(counted.resetMs));
      } catch (error) {
        if (!(error instanceof SharedStateUnavailable)) throw error;
        return refusal('unavailable', 'the service is not available right now', UNAVAILABLE_RETRY_SECONDS);
      }
    },
    async succeeded(userId) {
      try {
        await shared.windows.clear(Object.values(keysOf(userId)));
      } catch (error) {
        // The counts end by themselves.
        if (!(error instanceof SharedStateUnavailable)) throw error;
      }
    },
  };
}

function refusal(code: Refusal['code'], message: string, retryAfterSeconds: number): Refusal {
  return { code, message, retryAfterSeconds, headers: {}, began: false };
}
