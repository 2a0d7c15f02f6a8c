/** Writes in flight, in order. */
export interface Unacknowledged {
  /** Registers a write of so many events. Waits while too much is in flight, which slows the source down. */
  add(write: Promise<void>, events: number, acknowledged: () => void): Promise<void>;
  /** Waits for all. */
  settled(): Promise<void>;
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
  let inFlight = 0;
  let eventsInFlight = 0;
  let failure: unknown;
  let room = Promise.withResolvers<void>();

  return {
    get failure() {
      return failure;
    },
    async add(write, events, acknowledged) {
      inFlight++;
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
        inFlight--;
        eventsInFlight -= events;
        room.resolve();
        room = Promise.withResolvers<void>();
      });
      // The chain looks at it in its turn; until then a failure must not count as unhandled.
      write.catch(() => {});
      while (inFlight >= MAX_WRITES && eventsInFlight >= MAX_EVENTS) await room.promise;
    },
    settled: () => last,
  };
}
