import { Counter, type Registry } from 'prom-client';

/**
 * Source of an answer. `hit`, `negative`: cached, found or not found. `miss`: requested from upstream. `shared`: from
 * another request's call. `stale`: expired, used because upstream failed. `failed`: no answer.
 */
export type CacheResult = 'hit' | 'negative' | 'miss' | 'shared' | 'stale' | 'failed';

/**
 * Step 9: counts the sources of answers. The request itself is recorded in the API log, metrics, live feed and
 * analytics by address like any other, after its response.
 */
export function createRecord(registry: Registry): (scraper: string, result: CacheResult) => void {
  /**
   * Calls since the metric was last read. Incrementing the counter itself would cost more than all other work for a
   * cached answer.
   */
  const uncounted = new Map<string, Map<CacheResult, number>>();
  new Counter({
    name: 'trapline_cache_requests_total',
    help: 'Scraper calls by source of the response',
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
