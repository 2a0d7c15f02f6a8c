import { type Refusal, wholeSeconds } from '#api/http/limits/refusal.ts';
import { type SharedState, SharedStateUnavailable, type WindowLimit } from '#api/shared-state/port.ts';

/** Limits attempts at second factors per account, over all addresses. */
export interface TryLimits {
  /**
   * Counts an attempt before it is made. Undefined: the attempt is permitted. Without the shared state, all attempts
   * are refused.
   */
  take(userId: string): Promise<Refusal | undefined>;
  /** Resets the count after a success. */
  succeeded(userId: string): Promise<void>;
}

/** Limit on code attempts per account: 3 of a million codes are valid at a time. */
export const SECOND_FACTOR_TRIES: WindowLimit = { limit: 10, windowMs: 10 * 60_000 };
/** Daily limit: an attacker with the password has a chance of 1 in 3,000 per day. */
const DAY: WindowLimit = { limit: 100, windowMs: 24 * 3_600_000 };
/** Redis is usually available again within seconds. */
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
        return counted.allowed
          ? undefined
          : refusal('rate_limited', 'too many attempts', wholeSeconds(counted.resetMs));
      } catch (error) {
        if (!(error instanceof SharedStateUnavailable)) throw error;
        return refusal('unavailable', 'the service is not available right now', UNAVAILABLE_RETRY_SECONDS);
      }
    },
    async succeeded(userId) {
      try {
        await shared.windows.clear(Object.values(keysOf(userId)));
      } catch (error) {
        // The counts expire.
        if (!(error instanceof SharedStateUnavailable)) throw error;
      }
    },
  };
}

function refusal(code: Refusal['code'], message: string, retryAfterSeconds: number): Refusal {
  return { code, message, retryAfterSeconds, headers: {}, began: false };
}
