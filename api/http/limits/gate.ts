import { createExpiringMap } from '#api/shared-state/expiring-map.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import {
  type BlockingCount,
  type SharedState,
  SharedStateUnavailable,
  type WindowLimit,
} from '#api/shared-state/port.ts';

/** A limit that blocks an address for a while when it is exceeded, counted across all processes. Never rejects. */
export interface Gate {
  /**
   * Returns the remaining block time in ms, 0 if the address is open. Returns a number instead of a promise if this
   * process knows it, because every request calls it.
   */
  closedFor(address: string): number | Promise<number>;
  /** True if `closedFor` can answer without a request to another server. */
  knows(address: string): boolean;
  count(address: string): Promise<BlockingCount>;
  /** True if, within the last 2 s, a result came from this process alone because the shared state was unavailable. */
  alone(): boolean;
}

export interface GateConfig extends WindowLimit {
  /** Prefix of the keys in the shared state. */
  readonly name: string;
  readonly blockMs: number;
}

/**
 * Time for which an address is cached as open. A block by another process takes effect here after this time, or with
 * the next count.
 */
const OPEN_MS = 1_000;
/** Time after a local count for which the process reports that it counts alone. */
const ALONE_MS = 2_000;
/** Maximum number of cached addresses: blocked ones, and those that were open within the last second. */
const REMEMBERED_CLOSED = 50_000;
const REMEMBERED_OPEN = 10_000;

/**
 * Creates a gate. An address that is cached as blocked or open needs no round trip. Nothing is cached if the shared
 * state is in memory. While Redis is unavailable, each process counts separately.
 */
export function createGate(shared: SharedState, { name, blockMs, ...limit }: GateConfig): Gate {
  const now = () => performance.now();
  const closed = createExpiringMap<true>({ capacity: REMEMBERED_CLOSED, now });
  const opened = createExpiringMap<true>({ capacity: REMEMBERED_OPEN, now });
  const asking = new Map<string, Promise<number>>();
  const own = createMemorySharedState();
  let aloneUntil = 0;

  return {
    closedFor(address) {
      if (shared.state() === 'embedded') return shared.blocks.remaining(keyOf(address));
      const open = opened.remaining(address);
      if (open > 0) {
        // Refreshes the entry before it expires, so that a client with many requests never waits.
        if (open < OPEN_MS / 2) ask(address).catch(() => {}); // a request that awaits the same promise receives the error
        return 0;
      }
      const left = closed.remaining(address);
      return left > 0 ? left : ask(address);
    },
    knows: (address) => shared.state() === 'embedded' || opened.remaining(address) > 0 || closed.remaining(address) > 0,
    count: (address) =>
      either(
        ({ blocks }) => blocks.countOrBlock({ key: keyOf(address), ...limit }, blockMs),
        (counted) => {
          if (!counted.allowed) close(address, counted.blockedMs);
          else if (shared.state() !== 'embedded' && opened.remaining(address) < OPEN_MS / 2) stayOpen(address);
          return counted;
        },
      ),
    alone: () => now() < aloneUntil,
  };

  function ask(address: string): Promise<number> {
    let asked = asking.get(address);
    if (asked === undefined) {
      asked = either(
        ({ blocks }) => blocks.remaining(keyOf(address)),
        (ms) => {
          if (ms > 0) close(address, ms);
          else stayOpen(address);
          return ms;
        },
      ).finally(() => asking.delete(address));
      asking.set(address, asked);
    }
    return asked;
  }

  /** Caches an address as open, unless it was blocked after the request for its state. */
  function stayOpen(address: string): void {
    if (closed.remaining(address) === 0) opened.set(address, true, now() + OPEN_MS);
  }

  function close(address: string, ms: number): void {
    opened.delete(address);
    closed.set(address, true, now() + ms);
  }

  function keyOf(address: string): string {
    return `${name}:${address}`;
  }

  /**
   * Queries the shared state, or the memory of this process while the shared state is unavailable. Creates a single
   * promise, because every request awaits it.
   */
  function either<T>(ask: (state: SharedState) => Promise<T>, note: (answer: T) => T): Promise<T> {
    return ask(shared).then(note, (error: unknown) => {
      if (!(error instanceof SharedStateUnavailable)) throw error;
      aloneUntil = now() + ALONE_MS;
      return ask(own).then(note);
    });
  }
}
