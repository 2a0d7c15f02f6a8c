/**
 * Distinguishes leases that expired because their worker died from those that no worker could renew, because PostgreSQL
 * was unavailable or the machine suspended. A worker assumes such an outage if its polls get no response for half a
 * lease.
 */
export interface Unavailability {
  /** Reports a response of PostgreSQL to a poll. */
  answered(): void;
  /**
   * Returns the time since the end of the last outage in ms; null if there was no outage. Leases that expired earlier
   * do not indicate a death.
   */
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
    // Live workers renew within a quarter of a lease after the outage.
    endedMsAgo: () => (endedAt === undefined ? null : Math.max(0, performance.now() - endedAt - leaseMs / 4)),
  };
}
