import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { OutboundFetch } from '#api/outbound/port.ts';
import { createExpiringMap } from '#api/shared-state/expiring-map.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import type { Answer } from './answer.ts';
import { type CodeHostConfig, createCodeHost } from './code-host.ts';
import type { Scraper, Upstream } from './scraper.ts';
import { type AnswerCache, cacheKey, createAnswerCache, type KeptAnswer } from './steps/cache.ts';
import { createDeduplication } from './steps/deduplicate.ts';
import { type CacheResult, createRecord } from './steps/record.ts';
import { retry } from './steps/retry.ts';
import { run } from './steps/run.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export interface ScraperDeps {
  readonly shared: SharedState;
  readonly fetch: OutboundFetch;
  readonly registry: Registry;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

export interface ScraperConfig {
  readonly codeHost: CodeHostConfig;
  /** Delay between the first and the second attempt; it doubles afterwards. Default 250. */
  readonly firstPauseMs?: number;
  /** Clock in epoch milliseconds. */
  readonly now?: () => number;
}

/** The result of a successful scraper call. A failed call rejects with `UpstreamFailure`. */
export interface ScraperAnswer {
  readonly answer: Answer;
  /** Source of the answer. `stale`: it is expired, and was used because upstream failed. */
  readonly source: Exclude<CacheResult, 'failed'>;
  /** True if this call sent no upstream request. */
  readonly cached: boolean;
}

export interface ScraperPipeline {
  /**
   * Runs step 4 only, without a promise: the fresh answer in the memory of this process. If it returns undefined, use
   * `call`.
   */
  kept(scraper: Scraper, query: Record<string, unknown>): ScraperAnswer | undefined;
  /** Runs steps 4 to 9 for a query that passed the schema of the scraper. Rejects with `UpstreamFailure`. */
  call(scraper: Scraper, query: Record<string, unknown>, requestId: string): Promise<ScraperAnswer>;
  /** Aborts running calls. */
  close(): void;
}

/** If an expired answer exists, a failed upstream is not called for this time, so that no caller waits for its retries. */
const REST_MS = 10_000;
const MAX_RESTING = 10_000;

/**
 * Creates the pipeline of a scraper call. For every route, the guard (`plugins/guard.ts`) runs steps 1 (verify the key)
 * and 2 (count the address) before the handler; the route declares the required key. The server runs step 3 (validate
 * the query by the strict schema) between guard and handler. The remaining steps run here, in order.
 */
export function createScraperPipeline(deps: ScraperDeps, config: ScraperConfig): ScraperPipeline {
  const { shared, fetch, registry, logger } = deps;
  const { codeHost, firstPauseMs = 250, now = Date.now } = config;
  const closing = new AbortController();
  const { signal } = closing;
  const cache = createAnswerCache({ shared, now });
  const { share } = createDeduplication({ shared, signal, freshAnswer: (key) => freshAnswer(cache, key, now) });
  const record = createRecord(registry);
  const resting = createExpiringMap<true>({ capacity: MAX_RESTING, now });

  return {
    kept(scraper, query) {
      const kept = cache.near(cacheKey(scraper, query));
      if (kept === undefined) return undefined;
      const source = sourceOf(kept.answer);
      record(scraper.id, source);
      return { answer: kept.answer, source, cached: true };
    },
    async call(scraper, query, requestId) {
      const key = cacheKey(scraper, query);

      // Step 4: a fresh cached answer is returned.
      const kept = await cache.get(key);
      if (kept !== undefined && kept.freshUntil > now()) return recorded(sourceOf(kept.answer), kept.answer);
      const old = kept?.answer.kind === 'found' ? kept.answer : undefined;
      if (old !== undefined && resting.get(key)) return recorded('stale', old);

      try {
        // Step 5: concurrent identical calls share one upstream call.
        const { answer, own } = await share(key, async () => {
          const upstream: Upstream = { codeHost: createCodeHost(fetch, codeHost, { requestId, signal }) };
          // Step 6: up to three attempts.
          const fetched = await retry(
            // Step 7: request and parse the upstream response.
            () => run(scraper, query, upstream, now()),
            { signal, firstPauseMs, random: Math.random },
          );
          // Step 8: cache the answer for the time that the scraper declares.
          await cache.put(key, fetched, scraper.cacheSeconds);
          return fetched;
        });
        // Step 9: record the call.
        return recorded(own ? 'miss' : 'shared', answer);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        logger.warn({ err: error, requestId, scraper: scraper.id }, 'scraper failed');
        if (old !== undefined) {
          resting.set(key, true, now() + REST_MS);
          return recorded('stale', old);
        }
        record(scraper.id, 'failed');
        throw error;
      }

      function recorded(source: ScraperAnswer['source'], answer: Answer): ScraperAnswer {
        record(scraper.id, source);
        return { answer, source, cached: source !== 'miss' && source !== 'shared' };
      }
    },
    close: () => closing.abort(),
  };
}

/** Returns the recorded source of a cached answer. */
function sourceOf(answer: Answer): 'hit' | 'negative' {
  return answer.kind === 'found' ? 'hit' : 'negative';
}

async function freshAnswer(cache: AnswerCache, key: string, now: () => number): Promise<Answer | undefined> {
  const kept: KeptAnswer | undefined = await cache.get(key);
  return kept !== undefined && kept.freshUntil > now() ? kept.answer : undefined;
}
