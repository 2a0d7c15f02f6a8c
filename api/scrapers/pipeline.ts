import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { OutboundFetch } from '../outbound/port.ts';
import { createExpiringMap } from '../shared-state/expiring-map.ts';
import type { SharedState } from '../shared-state/port.ts';
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
  /** Between the first try and the second; it doubles. Default 250. */
  readonly firstPauseMs?: number;
  /** ms since 1970. */
  readonly now?: () => number;
}

/** The result of a scraper call. The other outcome is `UpstreamFailure`. */
export interface ScraperAnswer {
  readonly answer: Answer;
  /** Where it came from; `stale`: it is older than it should be, because upstream fails. */
  readonly source: Exclude<CacheResult, 'failed'>;
  /** Upstream was not asked for it now. */
  readonly cached: boolean;
}

export interface ScraperPipeline {
  /** Step 4 alone, without a promise: the fresh answer in the memory of this process. Undefined: `call`. */
  kept(scraper: Scraper, query: Record<string, unknown>): ScraperAnswer | undefined;
  /** Steps 4 to 9 for a query that passed the schema of the scraper. Rejects with `UpstreamFailure`. */
  call(scraper: Scraper, query: Record<string, unknown>, requestId: string): Promise<ScraperAnswer>;
  /** Ends running calls. */
  close(): void;
}

/** While there is an old answer, a failed upstream is not called for this long, and no caller waits for its retries again. */
const REST_MS = 10_000;
const MAX_RESTING = 10_000;

/**
 * The way of a scraper call. Steps 1 (verify the key) and 2 (count the address) are done for every route by the guard, `plugins/guard.ts`, before
 * the handler; the route says which key it wants. Step 3 (check the query against the strict schema) is done by the server, between guard and
 * handler. The rest is here, in order.
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

      // 4. What is kept and fresh is the answer.
      const kept = await cache.get(key);
      if (kept !== undefined && kept.freshUntil > now()) return recorded(sourceOf(kept.answer), kept.answer);
      const old = kept?.answer.kind === 'found' ? kept.answer : undefined;
      if (old !== undefined && resting.get(key)) return recorded('stale', old);

      try {
        // 5. One call for all who ask the same,
        const { answer, own } = await share(key, async () => {
          const upstream: Upstream = { codeHost: createCodeHost(fetch, codeHost, { requestId, signal }) };
          // 6. tried up to three times,
          const fetched = await retry(
            // 7. which asks upstream and reads its answer.
            () => run(scraper, query, upstream, now()),
            { signal, firstPauseMs, random: Math.random },
          );
          // 8. The answer is kept for the time of the scraper,
          await cache.put(key, fetched, scraper.cacheSeconds);
          return fetched;
        });
        // 9. and the call recorded.
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

/** What is recorded of an answer that was kept. */
function sourceOf(answer: Answer): 'hit' | 'negative' {
  return answer.kind === 'found' ? 'hit' : 'negative';
}

async function freshAnswer(cache: AnswerCache, key: string, now: () => number): Promise<Answer | undefined> {
  const kept: KeptAnswer | undefined = await cache.get(key);
  return kept !== undefined && kept.freshUntil > now() ? kept.answer : undefined;
}
