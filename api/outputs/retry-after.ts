/**
 * Returns the delay after this number of attempts, ms. It starts at 1 s and doubles up to `maxPauseMs`. Jitter of up to
 * half of it prevents that outputs that failed together retry together. The delay is never shorter than the receiver
 * requested.
 */
export function retryAfterMs(
  attempts: number,
  { maxPauseMs, asked = 0 }: { readonly maxPauseMs: number; readonly asked?: number | undefined },
  random: () => number = Math.random,
): number {
  const whole = Math.min(1_000 * 2 ** Math.min(attempts - 1, 30), maxPauseMs);
  return Math.max(Math.round(whole * (0.5 + random() / 2)), asked);
}
