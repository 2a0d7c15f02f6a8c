/** Counts the items of a list; see `createTotals`. */
export type CountTotal = (
  key: string,
  count: {
    /** Counts up to a bound. */
    readonly upTo: (atMost: number) => Promise<number>;
    /** Returns a count that the database maintains: exact and immediate. Undefined if it maintains none. */
    readonly kept?: (() => Promise<number>) | undefined;
    readonly all: () => Promise<number>;
  },
) => Promise<number>;

export interface TotalsConfig {
  /** Totals up to this number are counted on each request. Default 10,000, which takes a few milliseconds. */
  readonly exactUpTo?: number;
  /** How long a larger total is cached, in ms. Default 30,000. */
  readonly keepMs?: number;
  /** How long a request waits for the first count of a larger total, in ms. Default 25. */
  readonly patienceMs?: number;
  readonly now?: () => number;
}

interface Known {
  readonly total: number;
  readonly at: number;
}

const MAX_KEPT = 1_000;

/**
 * Returns totals of lists of any length in bounded time. Small totals are counted on each request, and totals that the
 * database maintains are read. Other large totals are counted outside of requests, one count at a time, at most every
 * 30 s per list. Until the first count ends, the total is the number counted so far, a lower bound.
 */
export function createTotals({
  exactUpTo = 10_000,
  keepMs = 30_000,
  patienceMs = 25,
  now = () => performance.now(),
}: TotalsConfig = {}): CountTotal {
  const known = new Map<string, Known>();
  const counting = new Map<string, Promise<number | undefined>>();
  let last: Promise<unknown> = Promise.resolve();

  function countAll(key: string, count: () => Promise<number>): Promise<number | undefined> {
    const before = counting.get(key);
    if (before !== undefined) return before;
    const counted = last
      .then(count)
      .then(
        (total) => {
          known.delete(key);
          known.set(key, { total, at: now() });
          if (known.size > MAX_KEPT) known.delete(known.keys().next().value as string);
          return total;
        },
        () => undefined,
      )
      .finally(() => counting.delete(key));
    counting.set(key, counted);
    last = counted;
    return counted;
  }

  return async (key, count) => {
    const kept = known.get(key);
    if (kept !== undefined && now() - kept.at < keepMs) return kept.total;
    const some = await count.upTo(exactUpTo + 1);
    if (some <= exactUpTo) {
      known.delete(key);
      return some;
    }
    // Never return less than the number already seen.
    if (count.kept !== undefined) return Math.max(some, await count.kept());
    const all = countAll(key, count.all);
    if (kept !== undefined) return kept.total;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    const total = await Promise.race([all, promise]);
    clearTimeout(timer);
    return total ?? some;
  };
}
