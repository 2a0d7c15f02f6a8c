export interface LivenessWatch {
  /** A sign of life: a fetch came back, the group was joined. */
  alive(): void;
  /** While the owner works on a batch nothing is fetched, and nothing is wrong. */
  busy<T>(work: Promise<T>): Promise<T>;
  /** When the last sign came. Epoch milliseconds. */
  readonly lastAliveAt: number;
  stop(): void;
}

/**
 * Calls `onStuck` when there was no sign of life for `timeoutMs`, and again after each further `timeoutMs` without one. A kafkajs
 * consumer is known to stand still now and then after a rebalance: connected, even heartbeating, but no longer fetching. The clock of the process may be set.
 */
export function watchLiveness(timeoutMs: number, onStuck: () => void): LivenessWatch {
  let lastAliveAt = Date.now();
  /** Of the monotonic clock. */
  let lastSign = performance.now();
  let working = 0;
  const timer = setInterval(
    () => {
      if (working > 0 || performance.now() - lastSign < timeoutMs) return;
      lastSign = performance.now();
      onStuck();
    },
    Math.max(50, timeoutMs / 4),
  );
  timer.unref();
  return {
    alive() {
      lastAliveAt = Date.now();
      lastSign = performance.now();
    },
    async busy(work) {
      working++;
      try {
        return await work;
      } finally {
        working--;
        lastSign = performance.now();
      }
    },
    get lastAliveAt() {
      return lastAliveAt;
    },
    stop: () => clearInterval(timer),
  };
}
