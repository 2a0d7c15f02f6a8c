import { createExpiringMap } from '#api/shared-state/expiring-map.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import {
  type BlockingCount,
  type SharedState,
  SharedStateUnavailable,
  type WindowLimit,
} from '#api/shared-state/port.ts';

/** A limit whose breach closes an address for a while, counted by all processes together. Never rejects. */
export interface Gate {
  /** ms for which the address is closed; 0 when it is open. A number, not a promise, when this process knows it: every request asks. */
  closedFor(address: string): number | Promise<number>;
  /** Whether `closedFor` can answer without a request to another server. */
  knows(address: string): boolean;
  count(address: string): Promise<BlockingCount>;
  /** True if an answer of the last 2 s came from this process alone, because the shared state was unavailable. */
  alone(): boolean;
}

export interface GateConfig extends WindowLimit {
  /** Part of the names of keys. */
  readonly name: string;
  readonly blockMs: number;
}

/** How long an open address counts as open. When another process closes it, this process notices after this time, or with the next count. */
const OPEN_MS = 1_000;
/** How long after a count of its own a process reports that it counts alone. */
const ALONE_MS = 2_000;
/** Addresses remembered here: those that are closed, and those that were open within the last second. */
const REMEMBERED_CLOSED = 50_000;
const REMEMBERED_OPEN = 10_000;

/**
 * An address that is known to be closed, or was open within the last second, costs no round trip. With the state in memory nothing is remembered here.
 * While Redis is unavailable, each process counts for itself.
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
        // Refreshed before it expires, so that a client with many requests never waits.
        if (open < OPEN_MS / 2) ask(address).catch(() => {}); // a request that waits for it gets the failure
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

  /** Marks an address as open, unless it was closed since it was asked for. */
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

  /** Asks the shared state, or the memory of this process while that is unavailable. One promise: every request waits for it. */
  function either<T>(ask: (state: SharedState) => Promise<T>, note: (answer: T) => T): Promise<T> {
    return ask(shared).then(note, (error: unknown) => {
      if (!(error instanceof SharedStateUnavailable)) throw error;
      aloneUntil = now() + ALONE_MS;
      return ask(own).then(note);
    });
  }
}
