/** Writes under way, in order. */
export interface Unacknowledged {
  /** Takes note of a write. Waits while too many are under way: this is what slows the source down. */
  add(write: Promise<void>, acknowledged: () => void): Promise<void>;
  /** Waits for all. */
  settled(): Promise<void>;
  /** The first failure; from then on nothing counts as acknowledged. */
  readonly failure: unknown;
}

const MAX_UNDER_WAY = 32;

/**
 * Calls `acknowledged` of each write in their order, and only when all before it are safe: the position saved there never
 * passes over an event that is still under way. `failed` is called once, at the first write that fails.
 */
export function createUnacknowledged(failed: () => void): Unacknowledged {
  let last: Promise<void> = Promise.resolve();
  let underWay = 0;
  let failure: unknown;
  let room = Promise.withResolvers<void>();

  return {
    get failure() {
      return failure;
    },
    async add(write, acknowledged) {
      underWay++;
      last = last.then(async () => {
        try {
          await write;
          if (failure === undefined) acknowledged();
        } catch (error) {
          if (failure === undefined) {
            failure = error ?? new Error('a write failed');
            failed();
          }
        }
        underWay--;
        room.resolve();
        room = Promise.withResolvers<void>();
      });
      // The chain looks at it in its turn; until then a failure must not count as unhandled.
      write.catch(() => {});
      while (underWay >= MAX_UNDER_WAY) await room.promise;
    },
    settled: () => last,
  };
}
