/**
 * Distinguishes leases that expired because their worker died from leases that no worker could renew: PostgreSQL was unavailable, or the machine was suspended.
 * A worker that received no answer to its polls for half a lease takes this as such an outage.
 */
export interface Unavailability {
  /** PostgreSQL answered a poll. */
  answered(): void;
  /** Milliseconds since the end of the last outage; null without one. Leases that expired before say nothing about their work. */
  endedMsAgo(): number | null;
}

export function watchUnavailability(leaseMs: number): Unavailability {
  let answeredAt: number | undefined;
  let endedAt: number | undefined;
  return {
    answered() {
      const now = performance.now();
      if (answeredAt !== undefined && now - answeredAt > leaseMs / 2) endedAt = now;
      answeredAt = now;
    },
    // Workers that are alive renew within a quarter of a lease after the outage.
    endedMsAgo: () => (endedAt === undefined ? null : Math.max(0, performance.now() - endedAt - leaseMs / 4)),
  };
}
