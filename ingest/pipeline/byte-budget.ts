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

/** Places of the counts. */
const USED = 0;
const MEMBERS = 1;

/** Counts of a budget, in memory that threads share. */
export type SharedBudget = SharedArrayBuffer;

export function createSharedBudget(): SharedBudget {
  return new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);
}

/** `shared`: the lanes of all threads with the same counts have one memory together. */
export function createByteBudget(limit: number, shared: SharedBudget = createSharedBudget()): ByteBudget {
  const counts = new BigInt64Array(shared);
  const used = () => Number(Atomics.load(counts, USED));
  const count = (which: number, change: number) => void Atomics.add(counts, which, BigInt(change));
  return {
    limit,
    used,
    join() {
      let own = 0;
      let left = false;
      count(MEMBERS, 1);
      const share = () => {
        const members = Number(Atomics.load(counts, MEMBERS));
        return members <= 1 ? limit : Math.max(limit / members, Math.min(limit / 2, limit - (used() - own)));
      };
      return {
        add(bytes) {
          own += bytes;
          count(USED, bytes);
        },
        remove(bytes) {
          if (left) return;
          own -= bytes;
          count(USED, -bytes);
        },
        isFull: () => own >= share(),
        hasRoom: () => own < share() * RESUME_BELOW,
        fits: (bytes) => own === 0 || own + bytes <= share(),
        leave() {
          if (left) return;
          left = true;
          count(MEMBERS, -1);
          count(USED, -own);
        },
      };
    },
  };
}
