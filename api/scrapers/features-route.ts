import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { type Feature, featureSchema, scraperCatalogue } from './catalogue.ts';
import type { Scraper } from './scraper.ts';

export interface FeaturesRouteDeps {
  readonly scrapers: readonly Scraper[];
  /** Monotonic clock, ms. */
  readonly now?: () => number;
}

const FRESH_MS = 60_000;

/** GET /api/features: the scraper catalogue, generated at most once a minute. */
export function featuresRoute(app: ApiServer, { scrapers, now = () => performance.now() }: FeaturesRouteDeps): void {
  let cached: { readonly data: Feature[]; readonly until: number } | undefined;
  app.get(
    '/api/features',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'listFeatures',
        summary: 'List the scrapers',
        description: 'All scrapers with path, parameters and cache time.',
        tags: ['scrapers'],
        response: {
          200: z.object({ data: z.array(featureSchema) }).describe('The catalogue.'),
          ...errorResponses(429),
        },
      },
    },
    async () => {
      if (cached === undefined || now() >= cached.until)
        cached = { data: scraperCatalogue(scrapers), until: now() + FRESH_MS };
      return { data: cached.data };
    },
  );
}
