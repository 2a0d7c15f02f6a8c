/** Takes one token from a budget that is refilled at a fixed rate. Returns false if the budget is used up. */
export type TakeOne = () => boolean;

/** Creates a token bucket with the budget of one second. */
export function createClientLimit(perSecond: number, nowMs: () => number = performance.now.bind(performance)): TakeOne {
  let left = perSecond;
  let at = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(perSecond, left + ((now - at) * perSecond) / 1_000);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
