import pino from 'pino';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { createScraperPipeline } from '#api/scrapers/pipeline.ts';
import type { Scraper } from '#api/scrapers/scraper.ts';
import type { CacheResult } from '#api/scrapers/steps/record.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import type { CodeHostServer } from './code-host-server.ts';

export interface Clock {
  now(): number;
  /** Advances the clock. */
  pass(ms: number): void;
}

export function createClock(): Clock {
  let passed = 0;
  return {
    now: () => Date.now() + passed,
    pass(ms) {
      passed += ms;
    },
  };
}

/** The pipeline of one process, created as in production, with short pauses between attempts. */
export function runPipeline(
  shared: SharedState,
  codeHost: CodeHostServer,
  options: { clock?: Clock; token?: string } = {},
) {
  const { clock = createClock(), token } = options;
  const registry = new Registry();
  const fetch = createOutboundFetch({ allow: ['127.0.0.1'] }, { timeoutMs: 60_000 });
  const pipeline = createScraperPipeline(
    { shared, fetch, registry, logger: pino({ level: 'silent' }) },
    { codeHost: { url: codeHost.url, token }, firstPauseMs: 2, now: clock.now },
  );
  onTestFinished(async () => {
    pipeline.close();
    await fetch.close();
  });
  return {
    pipeline,
    clock,
    registry,
    /** Calls it with a query string. */
    call(scraper: Scraper, query: Record<string, string>, requestId = 'request-of-the-test') {
      return pipeline.call(scraper, scraper.query.parse(query), requestId);
    },
    async counted(scraper: string): Promise<Partial<Record<CacheResult, number>>> {
      const metric = await registry.getSingleMetric('trapline_cache_requests_total')?.get();
      const ours = metric?.values.filter(({ labels }) => labels.scraper === scraper) ?? [];
      return Object.fromEntries(ours.map(({ labels, value }) => [labels.result, value]));
    },
  };
}
