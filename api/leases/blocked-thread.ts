/**
 * Distinguishes why leases expired although their worker is alive: its work kept the thread from renewing them, or the thread got no processor time or
 * no answer, because the process was frozen, the machine overloaded, or PostgreSQL slow.
 */
export interface BlockedThread {
  /** The interval of renewals has come. */
  tick(): void;
  /** True when work of this thread has kept it from the interval since the last tick. */
  isBlockedByWork(): boolean;
}

export interface ThreadTimes {
  /** Monotonic, ms. */
  readonly now: () => number;
  /** Processor time of the thread, ms. */
  readonly used: () => number;
}

/** Ticks that come later than so many intervals are late. */
const LATE_INTERVALS = 2;
/** Share of the time since the last tick that work needs to be its cause. */
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
