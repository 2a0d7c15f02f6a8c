/**
 * Memory that all lanes of a process may hold together, counted in record bytes from the moment a chunk is taken over
 * until it is landed. Each lane has an even share for certain, so one busy partition cannot starve the others, and up to half of the
 * memory while the others leave it.
 */
export interface ByteBudget {
  join(): BudgetShare;
  used(): number;
  readonly limit: number;
}

export interface BudgetShare {
  add(bytes: number): void;
  remove(bytes: number): void;
  /** Whether the lane should stop being fed. */
  isFull(): boolean;
  /** Whether it may be fed again: well below the limit, so that pausing and resuming do not flap. */
  hasRoom(): boolean;
  /** Whether `bytes` more fit now. An empty share always takes one chunk, however large. */
  fits(bytes: number): boolean;
  leave(): void;
}

/** Part of its share below which a lane is fed again. Above it a batch is landed rather than kept waiting for more. */
const RESUME_BELOW = 0.8;

export function createByteBudget(limit: number): ByteBudget {
  let total = 0;
  let members = 0;
  return {
    limit,
    used: () => total,
    join() {
      let own = 0;
      let left = false;
      members++;
      const share = () =>
        members <= 1 ? limit : Math.max(limit / members, Math.min(limit / 2, limit - (total - own)));
      return {
        add(bytes) {
          own += bytes;
          total += bytes;
        },
        remove(bytes) {
          if (left) return;
          own -= bytes;
          total -= bytes;
        },
        isFull: () => own >= share(),
        hasRoom: () => own < share() * RESUME_BELOW,
        fits: (bytes) => own === 0 || own + bytes <= share(),
        leave() {
          if (left) return;
          left = true;
          members--;
          total -= own;
        },
      };
    },
  };
}
