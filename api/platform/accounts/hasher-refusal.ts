import type { Refusal } from '../limits/refusal.ts';

/** What `HasherBusy` means to who asked: come back in a moment. */
export function hasherRefusal(): Refusal {
  return { code: 'rate_limited', message: 'too many at once', retryAfterSeconds: 2, headers: {}, began: false };
}
