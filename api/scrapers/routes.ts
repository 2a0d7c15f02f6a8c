import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type {} from '#api/http/request-record.ts';
import type { ScraperAnswer, ScraperPipeline } from './pipeline.ts';
import type { Scraper } from './scraper.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export interface ScraperRouteDeps {
  readonly scrapers: readonly Scraper[];
  readonly pipeline: ScraperPipeline;
}

const provenance = {
  cached: z
    .boolean()
    .describe('true: from the cache of an earlier call, without an upstream request')
    .meta({ example: false }),
  stale: z
    .boolean()
    .optional()
    .describe('true: expired, and returned because upstream fails; otherwise absent')
    .meta({ example: true }),
};

/**
 * Registers a route for every scraper. `config.access` makes the guard run steps 1 and 2, `schema.querystring` makes
 * the server run step 3.
 */
export function scraperRoutes(app: ApiServer, { scrapers, pipeline }: ScraperRouteDeps): void {
  for (const scraper of scrapers) {
    /** Resolves to the reply, by which Fastify knows that the response was sent. */
    const call = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
      // For the API log (step 9).
      request.scraped = { scraper: scraper.id, cache: 'failed' };
      const query = request.query as z.output<typeof scraper.query>;
      send(scraper, await pipeline.call(scraper, query, request.id).catch(refuse), request, reply);
      return reply as never;
    };
    app.route({
      method: scraper.method,
      url: scraper.path,
      config: { access: { by: 'key', scope: 'scrapers' } },
      schema: {
        operationId: scraper.operationId,
        summary: scraper.summary,
        description: scraper.description,
        tags: ['scrapers'],
        querystring: scraper.query,
        response: {
          200: scraper.response.extend(provenance).describe('The upstream data.'),
          ...errorResponses(400, 401, 403, 404, 429, 502, 503),
        },
      },
      handler(request, reply) {
        // Most answers are cached in this process and need no promise.
        const kept = pipeline.kept(scraper, request.query);
        if (kept === undefined) return call(request, reply);
        send(scraper, kept, request, reply);
        return;
      },
    });
  }
}

function send(scraper: Scraper, answered: ScraperAnswer, request: FastifyRequest, reply: FastifyReply): void {
  request.scraped = { scraper: scraper.id, cache: answered.source };
  // The text was validated by the response schema when it was cached. It is neither parsed nor serialised again.
  reply.type('application/json; charset=utf-8').send(bodyOf(answered));
}

/** Returns the cached object with `cached` and `stale` appended after its last member. */
function bodyOf({ answer, cached, source }: ScraperAnswer): string {
  if (answer.kind === 'not_found') throw apiError('not_found', 'the upstream service does not know this name');
  return `${answer.body.slice(0, -1)},"cached":${cached}${source === 'stale' ? ',"stale":true' : ''}}`;
}

function refuse(error: unknown): never {
  if (!(error instanceof UpstreamFailure)) throw error;
  if (error.kind === 'failed') throw apiError('upstream_failed', 'the upstream service failed');
  const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1000);
  throw apiError('unavailable', error.message, undefined, { 'retry-after': String(seconds) });
}
