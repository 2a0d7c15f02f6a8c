import { Counter, type Registry } from 'prom-client';

/**
 * Where an answer came from. `hit`, `negative`: kept, that there is something or nothing; `miss`: asked for; `shared`: another request's call;
 * `stale`: kept, because upstream failed; `failed`: from nowhere.
 */
export type CacheResult = 'hit' | 'negative' | 'miss' | 'shared' | 'stale' | 'failed';

/**
 * Step 9, the scraper's part: counts where answers come from. The request itself goes into the API log, metrics, live feed and analytics by
 * address with all others, when its answer is out.
 */
export function createRecord(registry: Registry): (scraper: string, result: CacheResult) => void {
  /** Calls since the metric was last read. Its own count costs more than all else that a kept answer needs here. */
  const uncounted = new Map<string, Map<CacheResult, number>>();
  new Counter({
    name: 'trapline_cache_requests_total',
    help: 'Scraper calls by where their answer came from',
    labelNames: ['scraper', 'result'] as const,
    registers: [registry],
    collect() {
      for (const [scraper, results] of uncounted)
        for (const [result, calls] of results) this.inc({ scraper, result }, calls);
      uncounted.clear();
    },
  });
  return (scraper, result) => {
    const results = uncounted.get(scraper) ?? new Map<CacheResult, number>();
    if (results.size === 0) uncounted.set(scraper, results);
    results.set(result, (results.get(result) ?? 0) + 1);
  };
}
