import { setTimeout as delay } from 'node:timers/promises';

export interface RefreshOptions {
  /** Maximum age of a cached result, ms. */
  readonly everyMs: number;
  /** How long a caller waits for a new result, ms, before it gets the last one. Default 2,000. */
  readonly waitMs?: number;
}

/**
 * Caches the result of `load`. Gauges of one scrape, and scrapes of several scrapers, thus share one expensive query.
 * Never rejects and never delays a scrape for long, because a process whose store hangs must stay observable. A failing
 * store returns no value; another metric reports that it is unavailable.
 */
export function refreshed<Item>(
  { everyMs, waitMs = 2_000 }: RefreshOptions,
  load: () => Promise<readonly Item[]>,
): () => Promise<readonly Item[]> {
  let last: readonly Item[] = [];
  let answeredAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function askAgain(): Promise<void> {
    try {
      last = await load();
      answeredAt = performance.now();
    } catch {
      last = [];
      answeredAt = Number.NEGATIVE_INFINITY;
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (asking === undefined && performance.now() - answeredAt < everyMs) return last;
    asking ??= askAgain();
    const patience = new AbortController();
    await Promise.race([asking, delay(waitMs, undefined, { signal: patience.signal, ref: false }).catch(() => {})]);
    patience.abort();
    return last;
  };
}
