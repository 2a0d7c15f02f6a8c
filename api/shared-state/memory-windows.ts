import type { ExpiringMap } from './expiring-map.ts';
import type { KeyedLimit, WindowCount } from './port.ts';

/** Times in ms of the counted events, oldest first. At most as many as the limit of the window. */
export type WindowLog = number[];

/** The sliding windows of one process. Synchronous, so each call is atomic. */
export interface MemoryWindows {
  take(wanted: readonly KeyedLimit[]): WindowCount;
  peek(wanted: KeyedLimit): WindowCount;
  clear(keys: readonly string[]): void;
}

/** Exact sliding windows, stored as logs of times. A log needs at most as many times as the limit. */
export function createMemoryWindows(logs: ExpiringMap<WindowLog>, now: () => number): MemoryWindows {
  return {
    take(wanted) {
      if (new Set(wanted.map(({ key }) => key)).size < wanted.length)
        throw new RangeError('the keys of one call must differ');
      const time = now();
      const said = tightest(wanted.map((one) => countOf(one, time)));
      if (said.allowed) for (const one of wanted) add(one, time);
      return said;
    },
    peek: (wanted) => countOf(wanted, now()),
    clear(keys) {
      for (const key of keys) logs.delete(key);
    },
  };

  function countOf({ key, limit, windowMs }: KeyedLimit, time: number): WindowCount {
    const log = logs.get(key) ?? [];
    forget(log, time - windowMs);
    const room = limit - log.length;
    if (room > 0) return { allowed: true, remaining: room - 1, resetMs: windowMs };
    // There is room when enough events have expired that fewer than the limit remain.
    const leaving = log[log.length - limit];
    return { allowed: false, remaining: 0, resetMs: leaving === undefined ? windowMs : leaving + windowMs - time };
  }

  function add({ key, windowMs }: KeyedLimit, time: number): void {
    const log = logs.get(key);
    if (log === undefined) {
      logs.set(key, [time], time + windowMs);
      return;
    }
    log.push(time);
    logs.extend(key, time + windowMs);
  }
}

/** Removes events at or before `untilMs`. */
function forget(log: WindowLog, untilMs: number): void {
  const kept = log.findIndex((time) => time > untilMs);
  if (kept !== 0) log.splice(0, kept === -1 ? log.length : kept);
}

/**
 * Returns the most restrictive of several windows: a full one if there is one, and of those the one that stays full
 * longest.
 */
export function tightest(counts: readonly WindowCount[]): WindowCount {
  const full = counts.filter(({ allowed }) => !allowed);
  if (full.length > 0)
    return { allowed: false, remaining: 0, resetMs: Math.max(...full.map(({ resetMs }) => resetMs)) };
  return {
    allowed: true,
    remaining: Math.min(...counts.map(({ remaining }) => remaining)),
    resetMs: Math.max(...counts.map(({ resetMs }) => resetMs)),
  };
}
