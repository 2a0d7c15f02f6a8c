/** Counts what a list holds; see `createTotals`. */
export type CountTotal = (
  key: string,
  count: {
    /** Counts up to a bound. */
    readonly upTo: (atMost: number) => Promise<number>;
    /** The count that the database keeps, where it keeps one: exact, and known at once. */
    readonly kept?: (() => Promise<number>) | undefined;
    readonly all: () => Promise<number>;
  },
) => Promise<number>;

export interface TotalsConfig {
  /** Totals up to this number are counted with each request. Default 10,000: a few milliseconds. */
  readonly exactUpTo?: number;
  /** How long a larger total is reused. Default 30 s. */
  readonly keepMs?: number;
  /** How long a caller waits for a larger total the first time. Default 25 ms. */
  readonly patienceMs?: number;
  readonly now?: () => number;
}

interface Known {
  readonly total: number;
  readonly at: number;
}

const MAX_KEPT = 1_000;

/**
 * Totals of lists of any length in bounded time. What is small is counted each time, and so is what the database keeps a count of. What is large else is
 * counted in full at most every 30 s, outside the requests, one count at a time; until the first of them is done, a list says that it has at least as many as were counted.
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
    // Never fewer than were seen.
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
