import type { KeyedLimit, WindowCount } from '#api/shared-state/port.ts';

/**
 * Reference model of the sliding window that stores every count. Implementations are compared with it. Any time unit.
 */
export function createWindowModel() {
  const counted: { key: string; at: number }[] = [];
  const within = (key: string, window: number, now: number) =>
    counted.filter((one) => one.key === key && one.at > now - window);

  return {
    take(wanted: readonly KeyedLimit[], now: number): WindowCount {
      const full = wanted.filter(({ key, limit, windowMs }) => within(key, windowMs, now).length >= limit);
      if (full.length > 0) {
        return { allowed: false, remaining: 0, resetMs: Math.max(...full.map((one) => untilRoom(one, now))) };
      }
      for (const { key } of wanted) counted.push({ key, at: now });
      const left = wanted.map(({ key, limit, windowMs }) => limit - within(key, windowMs, now).length);
      return {
        allowed: true,
        remaining: Math.min(...left),
        resetMs: Math.max(...wanted.map(({ windowMs }) => windowMs)),
      };
    },
  };

  /** Tries every time at which a count expires. */
  function untilRoom({ key, limit, windowMs }: KeyedLimit, now: number): number {
    const leavings = within(key, windowMs, now).map(({ at }) => at + windowMs);
    const room = leavings.sort((a, b) => a - b).find((at) => within(key, windowMs, at).length < limit);
    return room === undefined ? windowMs : room - now;
  }
}
