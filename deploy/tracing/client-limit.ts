/** Takes one from a budget that grows by so many a second; false when it is used up. */
export type TakeOne = () => boolean;

/** A token bucket that holds the budget of one second. */
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
