/** Tracks writes in flight, in order. */
export interface Unacknowledged {
  /** Registers a write of `events` events. Waits while too much is in flight, which slows the source down. */
  add(write: Promise<void>, events: number, acknowledged: () => void): Promise<void>;
  /** Resolves when all writes are settled. */
  settled(): Promise<void>;
  /** When the oldest write in flight was added, ms of `performance.now()`; null if none is in flight. */
  readonly oldestSince: number | null;
  /** The first failure. After it, no write counts as acknowledged. */
  readonly failure: unknown;
}

/**
 * Both limits must be reached: a single line is one write, and a receiver that takes half a second must not block the
 * next thousand.
 */
const MAX_WRITES = 32;
const MAX_EVENTS = 4_000;

/**
 * Calls `acknowledged` of the writes in order, each only when all earlier ones are durable. The saved position thus
 * never skips an event that is still in flight. `failed` is called once, at the first write that fails.
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
      // The failure is handled when the chain reaches this write. Until then it must not be reported as unhandled.
      write.catch(() => {});
      while (addedAt.length >= MAX_WRITES && eventsInFlight >= MAX_EVENTS) await room.promise;
    },
    settled: () => last,
  };
}
