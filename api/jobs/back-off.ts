const FIRST_MS = 1_000;
const MAX_MS = 15 * 60_000;

/** How long to wait after that many tries, ms: 1 s, doubled each time up to 15 minutes, and of that anything from a half to the whole, so that
 * jobs that failed together don't come back together. */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 30), MAX_MS);
  return Math.round(whole * (0.5 + random() / 2));
}
