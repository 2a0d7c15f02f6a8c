/** Writes in flight, in order. */
export interface Unacknowledged {
  /** Registers a write of so many events. Waits while too much is in flight, which slows the source down. */
  add(write: Promise<void>, events: number, acknowledged: () => void): Promise<void>;
  /** Waits for all. */
  settled(): Promise<void>;
  /** When the oldest write in flight was added, ms of `performance.now()`; null: none is in flight. */
  readonly oldestSince: number | null;
  /** The first failure; from then on nothing counts as acknowledged. */
  readonly failure: unknown;
}

/** Both: a line that comes alone is a write, and a receiver that takes half a second must not hold up the next thousand. */
const MAX_WRITES = 32;
const MAX_EVENTS = 4_000;

/**
 * Calls `acknowledged` of each write in their order, and only when all before it are safe: the position saved there never
 * passes over an event that is still in flight. `failed` is called once, at the first write that fails.
 */
export function createUnacknowledged(failed: () => void): Unacknowledged {
  let last: Promise<void> = Promise.resolve();
  const addedAt: number[] = [];
  let eventsInFlight = 0;
  let failure: unknown;
  let room = Promise.withResolvers<void>();

  return {
    get oldestSince() {
      return addedAt[0] ?? null;
    },
    get failure() {
      return failure;
    },
    async add(write, events, acknowledged) {
      addedAt.push(performance.now());
      eventsInFlight += events;
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
        addedAt.shift();
        eventsInFlight -= events;
        room.resolve();
        room = Promise.withResolvers<void>();
      });
      // The chain looks at it in its turn; until then a failure must not count as unhandled.
      write.catch(() => {});
      while (addedAt.length >= MAX_WRITES && eventsInFlight >= MAX_EVENTS) await room.promise;
    },
    settled: () => last,
  };
}
