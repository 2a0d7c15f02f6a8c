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
  const counter = new Counter({
    name: 'trapline_cache_requests_total',
    help: 'Scraper calls by where their answer came from',
    labelNames: ['scraper', 'result'] as const,
    registers: [registry],
  });
  return (scraper, result) => counter.inc({ scraper, result });
}
