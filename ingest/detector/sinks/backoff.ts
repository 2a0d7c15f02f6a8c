/**
 * How long to wait before attempt `attempt` (1 for the first retry): exponential with full jitter, so that detectors that lost
 * the same server do not come back as one. What the receiver asks for is the least.
 */
export function backoffMs(
  attempt: number,
  retryAfterMs: number | null,
  { baseMs, maxMs, random }: { readonly baseMs: number; readonly maxMs: number; readonly random: () => number },
): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 20));
  return Math.max(retryAfterMs ?? 0, Math.round(random() * ceiling));
}
