export interface LivenessWatch {
  /** A sign of life: a fetch came back, the group was joined. */
  alive(): void;
  /** While the owner works on a batch nothing is fetched, and nothing is wrong. */
  busy<T>(work: Promise<T>): Promise<T>;
  readonly lastAliveAt: number;
  stop(): void;
}

/**
 * Calls `onStuck` when there was no sign of life for `timeoutMs`, and again after each further `timeoutMs` without one. A kafkajs
 * consumer is known to stand still now and then after a rebalance: connected, even heartbeating, but no longer fetching.
 */
export function watchLiveness(timeoutMs: number, onStuck: () => void): LivenessWatch {
  let lastAliveAt = Date.now();
  let lastSign = lastAliveAt;
  let working = 0;
  const timer = setInterval(
    () => {
      if (working > 0 || Date.now() - lastSign < timeoutMs) return;
      lastSign = Date.now();
      onStuck();
    },
    Math.max(50, timeoutMs / 4),
  );
  timer.unref();
  return {
    alive() {
      lastAliveAt = Date.now();
      lastSign = lastAliveAt;
    },
    async busy(work) {
      working++;
      try {
        return await work;
      } finally {
        working--;
        lastSign = Date.now();
      }
    },
    get lastAliveAt() {
      return lastAliveAt;
    },
    stop: () => clearInterval(timer),
  };
}
