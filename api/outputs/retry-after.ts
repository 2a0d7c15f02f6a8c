/**
 * How long to wait after that many tries, ms: 1 s, doubled each time up to `maxPauseMs`, and of that anything from a half to the whole, so that
 * outputs that failed together don't come back together; never less than the receiver asked for.
 */
export function retryAfterMs(
  attempts: number,
  { maxPauseMs, asked = 0 }: { readonly maxPauseMs: number; readonly asked?: number | undefined },
  random: () => number = Math.random,
): number {
  const whole = Math.min(1_000 * 2 ** Math.min(attempts - 1, 30), maxPauseMs);
  return Math.max(Math.round(whole * (0.5 + random() / 2)), asked);
}
