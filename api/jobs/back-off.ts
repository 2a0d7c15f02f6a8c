const FIRST_MS = 1_000;
const MAX_MS = 15 * 60_000;

/**
 * Delay before the next try, ms: 1 s, doubled with each try up to 15 minutes, and a random part from half of that to all of it, so that jobs that failed
 * together are not retried together.
 */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 30), MAX_MS);
  return Math.round(whole * (0.5 + random() / 2));
}
