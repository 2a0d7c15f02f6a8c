import type { WindowLimit } from '#api/shared-state/port.ts';
import { wholeSeconds } from './refusal.ts';

/**
 * Returns a function that creates rate-limit headers such as `RateLimit-Policy: "default";q=100;w=60` and `RateLimit:
 * "default";r=50;t=30`: the quota, the rest of it, and the seconds until the full quota is available again. Source:
 * draft-ietf-httpapi-ratelimit-headers.
 */
export function createRateLimitHeaders(
  { limit, windowMs }: WindowLimit,
  policy: 'default' | 'polls' = 'default',
): (remaining: number, resetMs: number) => Readonly<Record<string, string>> {
  const allowed = `"${policy}";q=${limit};w=${wholeSeconds(windowMs)}`;
  return (remaining, resetMs) => ({
    'ratelimit-policy': allowed,
    ratelimit: `"${policy}";r=${remaining};t=${wholeSeconds(resetMs)}`,
  });
}
