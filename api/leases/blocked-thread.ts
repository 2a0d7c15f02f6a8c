/**
 * Detects why leases expired although their worker is alive. Either its work blocked the thread, or the thread got no
 * processor time or no response: the process was frozen, the machine overloaded, or PostgreSQL slow.
 */
export interface BlockedThread {
  /** Call at each renewal interval. */
  tick(): void;
  /** True if work of this thread has delayed the interval since the last tick. */
  isBlockedByWork(): boolean;
}

export interface ThreadTimes {
  /** Monotonic, ms. */
  readonly now: () => number;
  /** Processor time of the thread, ms. */
  readonly used: () => number;
}

/** Ticks that come later than this many intervals are late. */
const LATE_INTERVALS = 2;
/** Minimum share of processor time since the last tick that makes work the cause of a delay. */
const BUSY_SHARE = 0.5;

export function watchBlockedThread(
  intervalMs: number,
  { now, used }: ThreadTimes = { now: () => performance.now(), used: threadMs },
): BlockedThread {
  let last = { at: now(), used: used() };
  return {
    tick() {
      last = { at: now(), used: used() };
    },
    isBlockedByWork() {
      const elapsed = now() - last.at;
      return elapsed > LATE_INTERVALS * intervalMs && used() - last.used >= BUSY_SHARE * elapsed;
    },
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
