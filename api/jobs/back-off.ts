const FIRST_MS = 1_000;
const MAX_MS = 15 * 60_000;

/**
 * Returns the delay before the next try in ms: 1 s, doubled per try up to 15 minutes. A random factor between 0.5 and 1
 * spreads the retries of jobs that failed together.
 */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 30), MAX_MS);
  return Math.round(whole * (0.5 + random() / 2));
}
