import { createExpiringMap } from '#api/shared-state/expiring-map.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import {
  type BlockingCount,
  type SharedState,
  SharedStateUnavailable,
  type WindowLimit,
} from '#api/shared-state/port.ts';

/** One limit of addresses whose breach closes an address for a while, by all processes together. Never rejects. */
export interface Gate {
  /** ms for which the address is closed; 0 when it is open. Said at once, without a promise, where this process knows it: every request asks. */
  closedFor(address: string): number | Promise<number>;
  count(address: string): Promise<BlockingCount>;
  /** An answer of the last 2 s came from this process alone. */
  alone(): boolean;
}

export interface GateConfig extends WindowLimit {
  /** Part of the names of keys. */
  readonly name: string;
  readonly blockMs: number;
}

/** For how long an address counts as open that was. That it was closed by another process is seen as late as that, or when it is counted. */
const OPEN_MS = 1_000;
/** For how long after an answer of its own a process says that it counts alone. */
const TOLD_MS = 2_000;
/** Addresses remembered here: those that are closed, and those that were open within the last second. */
const REMEMBERED_CLOSED = 50_000;
const REMEMBERED_OPEN = 10_000;

/**
 * What is known to be closed, and what was open a moment ago, costs no round trip; where nothing goes anywhere, nothing is remembered twice.
 * Redis unavailable: each process counts for itself.
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
        // Who asks all the time never waits: what is known is made new before it ends.
        if (open < OPEN_MS / 2) ask(address).catch(() => {}); // a request that waits for it gets the failure
        return 0;
      }
      const left = closed.remaining(address);
      return left > 0 ? left : ask(address);
    },
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

  /** Unless it was closed since then, which is the later state. */
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

  /** Every request waits for this, so that it takes one promise. */
  function either<T>(ask: (state: SharedState) => Promise<T>, note: (answer: T) => T): Promise<T> {
    return ask(shared).then(note, (error: unknown) => {
      if (!(error instanceof SharedStateUnavailable)) throw error;
      aloneUntil = now() + TOLD_MS;
      return ask(own).then(note);
    });
  }
}
