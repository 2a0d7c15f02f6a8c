import type { z } from 'zod';
import type { OutboundResponse } from '#api/outbound/port.ts';
import type { CodeHost } from './code-host.ts';

/** Members of an answer in addition to `cached` and `stale`. */
export type ScraperResponse = z.ZodObject<{ data: z.ZodType }>;

/**
 * Declaration of a scraper, in a separate file and listed in `scrapers.ts`. The nine steps of `pipeline.ts`, the route,
 * the description and the catalogue are generated from it.
 */
export interface Scraper<Query extends z.ZodObject = z.ZodObject, Response extends ScraperResponse = ScraperResponse> {
  /** Stable id, used in caches, metrics and the catalogue. */
  readonly id: string;
  /** Operation id in the description of the API. */
  readonly operationId: string;
  readonly method: 'GET';
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly description: string;
  /** Strict schema of query strings; see `steps/validate.ts`. */
  readonly query: Query;
  /** Schema that validates the result of `parse` before it is cached. */
  readonly response: Response;
  /** How long an answer is served from the cache. */
  readonly cacheSeconds: number;
  /** Sends one upstream request. Rejects with `OutboundFailure`. */
  fetch(query: z.output<Query>, upstream: Upstream): Promise<OutboundResponse>;
  /** Converts a 2xx response to an answer. An exception means that the response differs from the upstream documentation. */
  parse(body: unknown, response: OutboundResponse, query: z.output<Query>): z.input<Response>;
}

/** The services that a scraper may call, for one request. */
export interface Upstream {
  readonly codeHost: CodeHost;
}

/** Infers the types of a declaration. */
export function defineScraper<Query extends z.ZodObject, Response extends ScraperResponse>(
  scraper: Scraper<Query, Response>,
): Scraper<Query, Response> {
  return scraper;
}
