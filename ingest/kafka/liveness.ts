export interface LivenessWatch {
  /** Notes a sign of life: a fetch response arrived, or the group was joined. */
  alive(): void;
  /** Suspends the check while the owner processes a batch, because nothing is fetched in that time. */
  busy<T>(work: Promise<T>): Promise<T>;
  /** Time of the last sign of life, epoch milliseconds. */
  readonly lastAliveAt: number;
  stop(): void;
}

/**
 * Calls `onStuck` after each `timeoutMs` without a sign of life. After a rebalance, a kafkajs consumer sometimes stops
 * fetching while it stays connected and sends heartbeats. Uses the monotonic clock, because the system clock may be
 * set.
 */
export function watchLiveness(timeoutMs: number, onStuck: () => void): LivenessWatch {
  let lastAliveAt = Date.now();
  /** Monotonic clock. */
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
