/**
 * Limits the memory of all lanes of a process, in record bytes, from when a chunk is accepted until it has landed. Each
 * lane is guaranteed an even share, so a busy partition cannot starve the others. A lane can use up to half of the
 * memory while the other lanes do not need it.
 */
export interface ByteBudget {
  join(): BudgetShare;
  used(): number;
  readonly limit: number;
}

export interface BudgetShare {
  add(bytes: number): void;
  remove(bytes: number): void;
  /** True if the source of the lane should pause. */
  isFull(): boolean;
  /** True if the source may resume. The threshold is well below the limit, to avoid rapid pausing and resuming. */
  hasRoom(): boolean;
  /** True if `bytes` more fit. An empty share accepts one chunk of any size. */
  fits(bytes: number): boolean;
  leave(): void;
}

/** Fraction of its share below which a lane resumes. Above it, a batch is sealed without waiting for more records. */
const RESUME_BELOW = 0.8;

/** Indexes of the counters. */
const USED = 0;
const MEMBERS = 1;

/** Counters of a budget in shared memory, so that threads can share them. */
export type SharedBudget = SharedArrayBuffer;

export function createSharedBudget(): SharedBudget {
  return new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);
}

/** Lanes of all threads that pass the same `shared` counters share one limit. */
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
