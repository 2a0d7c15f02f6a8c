import { setTimeout as delay } from 'node:timers/promises';

export interface RefreshOptions {
  /** An answer older than this is asked for again, ms. */
  readonly everyMs: number;
  /** Who asks waits so long for a new answer, ms, and takes the last one then. Default 2,000. */
  readonly waitMs?: number;
}

/**
 * What `load` answered last, asked again when that is too old: gauges of one scrape, and scrapes of several watchers, share a question that
 * costs a store something. Never rejects, and never delays a scrape for long: a process whose store hangs must stay observable. A store
 * that refuses gives no value; another metric reports that it is unavailable.
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
