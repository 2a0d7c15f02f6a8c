import type { OutboundResponse } from '#api/outbound/port.ts';
import { UpstreamFailure } from './upstream-failure.ts';

const HOUR_MS = 3_600_000;
/** Pause after a quota refusal without a stated duration. */
const QUOTA_PAUSE_MS = 60_000;
/** Temporary statuses: too early, a time-out, and internal errors. */
const PASSING = new Set([408, 425, 500, 502, 503, 504]);

/**
 * Interprets the status of a response. A quota is reported by 429, or by 403 with no remaining requests or a reset time
 * (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api). Throws `UpstreamFailure`.
 */
export function judgeResponse({ status, headers }: OutboundResponse, nowMs: number): 'found' | 'not_found' {
  if (status >= 200 && status < 300) return 'found';
  if (status === 404 || status === 410) return 'not_found';
  const retryAfterMs = retryAfter(headers, nowMs);
  if (status === 429 || (status === 403 && (headers['x-ratelimit-remaining'] === '0' || headers['retry-after'])))
    throw new UpstreamFailure('quota', 'the quota at the upstream service is used up', {
      retryAfterMs: retryAfterMs ?? quotaReset(headers, nowMs) ?? QUOTA_PAUSE_MS,
    });
  throw new UpstreamFailure('failed', `the upstream service answered ${status}`, {
    retriable: PASSING.has(status),
    retryAfterMs,
  });
}

/** Parses `Retry-After` in seconds or as a date. Times of more than an hour are ignored. */
function retryAfter(headers: OutboundResponse['headers'], nowMs: number): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? undefined : within(ms);
}

/** Parses `x-ratelimit-reset`: the time at which the quota is reset, seconds since 1970. */
function quotaReset(headers: OutboundResponse['headers'], nowMs: number): number | undefined {
  const value = headers['x-ratelimit-reset'];
  return value !== undefined && /^\d+$/.test(value) ? within(Number(value) * 1000 - nowMs) : undefined;
}

function within(ms: number): number {
  return Math.min(HOUR_MS, Math.max(1000, ms));
}
