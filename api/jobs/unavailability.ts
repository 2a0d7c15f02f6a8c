/**
 * Distinguishes leases that ended because their worker died from leases that no worker could renew: PostgreSQL was unavailable, or the machine stood still.
 * A worker that polls once a second and has had no answer for half a lease has been through such a time itself.
 */
export interface Unavailability {
  /** PostgreSQL has answered a poll. */
  answered(): void;
  /** How long ago the last such time ended, ms; null: there was none. Leases that had ended by then say nothing about their work. */
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
    // Living workers renew their leases within a quarter of them, as soon as they can.
    endedMsAgo: () => (endedAt === undefined ? null : Math.max(0, performance.now() - endedAt - leaseMs / 4)),
  };
}
