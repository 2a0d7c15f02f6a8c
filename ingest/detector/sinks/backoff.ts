/**
 * Returns the delay before attempt `attempt` (1 for the first retry), in ms. Exponential with full jitter, so that
 * detectors that lost the same server do not reconnect simultaneously. The delay is at least what the receiver
 * requested.
 */
export function backoffMs(
  attempt: number,
  retryAfterMs: number | null,
  { baseMs, maxMs, random }: { readonly baseMs: number; readonly maxMs: number; readonly random: () => number },
): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 20));
  return Math.max(retryAfterMs ?? 0, Math.round(random() * ceiling));
}
