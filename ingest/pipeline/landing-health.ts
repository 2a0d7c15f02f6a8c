/** State of the landing of one lane, for health, metrics and senders. Epoch milliseconds. */
export interface LandingState {
  /** Since when some operation has failed without a success; undefined while all succeed. */
  readonly failingSinceMs: number | undefined;
  /** When a batch was last durable; undefined before the first. */
  readonly lastLandedMs: number | undefined;
}

export interface LandingHealth {
  failed(operation: string): void;
  succeeded(operation: string): void;
  landed(): void;
  state(): LandingState;
}

/** Counts by operation: with a full disk inserts fail while reads go on, and the reads must not hide it. */
export function createLandingHealth(nowMs: () => number): LandingHealth {
  const failingSince = new Map<string, number>();
  let lastLandedMs: number | undefined;
  return {
    failed(operation) {
      if (!failingSince.has(operation)) failingSince.set(operation, nowMs());
    },
    succeeded: (operation) => void failingSince.delete(operation),
    landed() {
      lastLandedMs = nowMs();
    },
    state: () => ({
      failingSinceMs: failingSince.size === 0 ? undefined : Math.min(...failingSince.values()),
      lastLandedMs,
    }),
  };
}
