import { createMemorySharedState } from '#api/shared-state/memory.ts';
import {
  type SharedState,
  SharedStateUnavailable,
  type WindowCount,
  type WindowLimit,
} from '#api/shared-state/port.ts';
import type { Counted } from './address-limiter.ts';
import { createRateLimitHeaders } from './rate-limit-headers.ts';
import { wholeSeconds } from './refusal.ts';

/**
 * The request budget of a key for reading the state of executions. A request over the budget gets a 429 and blocks
 * nothing else.
 */
export interface PollLimiter {
  /** Counts one request of the key. Does not reject while Redis is unavailable: the process then counts separately. */
  count(keyId: string): Promise<Counted>;
}

export const POLLS: WindowLimit = { limit: 600, windowMs: 60_000 };

export function createPollLimiter(
  { shared }: { readonly shared: SharedState },
  limit: WindowLimit = POLLS,
): PollLimiter {
  const own = createMemorySharedState();
  const headersOf = createRateLimitHeaders(limit, 'polls');
  const take = (state: SharedState, keyId: string) => state.windows.take([{ key: `polls:${keyId}`, ...limit }]);

  return {
    async count(keyId) {
      const counted = await take(shared, keyId).catch((error: unknown) => {
        if (error instanceof SharedStateUnavailable) return take(own, keyId);
        throw error;
      });
      return answerFor(counted);
    },
  };

  function answerFor({ allowed, remaining, resetMs }: WindowCount): Counted {
    const headers = headersOf(remaining, resetMs);
    if (allowed) return { headers };
    const message = `this key has read the state of executions more than ${limit.limit} times in ${wholeSeconds(limit.windowMs)} s: wait with wait_for_completion or follow the events instead`;
    const retryAfterSeconds = wholeSeconds(resetMs);
    return { headers, refusal: { code: 'rate_limited', message, retryAfterSeconds, headers, began: false } };
  }
}
