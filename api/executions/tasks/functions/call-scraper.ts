import { z } from 'zod';
import type { ScraperPipeline } from '#api/scrapers/pipeline.ts';
import type { Scraper } from '#api/scrapers/scraper.ts';
import { UpstreamFailure } from '#api/scrapers/upstream-failure.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import { type BuiltInFunction, defineFunction } from './port.ts';

export interface CallScraperDeps {
  readonly scraperPipeline: Pick<ScraperPipeline, 'call'>;
  readonly scrapers: readonly Scraper[];
}

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/**
 * Runs steps 3 to 9 of a scraper call, with the same result as its route. If upstream has no result, the error is a
 * communication error with status 404.
 */
export function callScraper({ scraperPipeline, scrapers }: CallScraperDeps): BuiltInFunction {
  const byId = new Map(scrapers.map((scraper) => [scraper.id, scraper]));
  return defineFunction({
    name: 'trapline.scraper',
    scope: 'scrapers',
    input: z.strictObject({ scraper: z.string(), query: z.record(z.string(), scalar).default({}) }),
    async run({ scraper: id, query }, { step, idempotencyKey }) {
      const scraper = byId.get(id);
      if (scraper === undefined)
        throw taskFailure('configuration', step, `there is no scraper ${id}; there are ${[...byId.keys()].join(', ')}`);
      const checked = scraper.query.safeParse(query);
      if (!checked.success) {
        const problems = checked.error.issues.map(
          ({ path, message }) => `${path.join('.') || 'the query'}: ${message}`,
        );
        throw taskFailure('validation', step, `${id}: ${problems.join('; ')}`);
      }
      const { answer, cached, source } = await scraperPipeline
        .call(scraper, checked.data, idempotencyKey)
        .catch((error: unknown) => {
          if (!(error instanceof UpstreamFailure)) throw error;
          throw taskFailure('communication', step, `${id}: ${error.message}`, {
            status: error.kind === 'quota' ? 503 : 502,
          });
        });
      if (answer.kind === 'not_found')
        throw taskFailure('communication', step, `${id} found no result`, { status: 404 });
      return { ...(JSON.parse(answer.body) as Record<string, JsonValue>), cached, stale: source === 'stale' };
    },
  });
}
