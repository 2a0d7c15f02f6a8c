/** Landing state of one lane, for health, metrics and senders. Epoch milliseconds. */
export interface LandingState {
  /** When the current series of failures of an operation began; undefined if no operation is failing. */
  readonly failingSinceMs: number | undefined;
  /** When a batch last became durable; undefined before the first. */
  readonly lastLandedMs: number | undefined;
}

export interface LandingHealth {
  failed(operation: string): void;
  succeeded(operation: string): void;
  landed(): void;
  state(): LandingState;
}

/**
 * Creates the state. Failures are tracked per operation: with a full disk inserts fail while reads succeed, and a read
 * must not clear the failure.
 */
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
