import type { z } from 'zod';
import type { OutboundResponse } from '../outbound/port.ts';
import type { CodeHost } from './code-host.ts';

/** Members of an answer in addition to `cached` and `stale`. */
export type ScraperResponse = z.ZodObject<{ data: z.ZodType }>;

/**
 * A scraper is this declaration, in a file of its own and a line in `scrapers.ts`. The nine steps of `pipeline.ts`, the route, the
 * description and the catalogue come from it.
 */
export interface Scraper<Query extends z.ZodObject = z.ZodObject, Response extends ScraperResponse = ScraperResponse> {
  /** Stable: names it in caches, metrics and the catalogue. */
  readonly id: string;
  /** Name of the operation in the description of the API. */
  readonly operationId: string;
  readonly method: 'GET';
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly description: string;
  /** Strict, of text as it stands in a query; see `steps/validate.ts`. */
  readonly query: Query;
  /** What `parse` returns is checked against it before it is kept. */
  readonly response: Response;
  /** How long an answer is served without asking again. */
  readonly cacheSeconds: number;
  /** Asks upstream, once. Rejects with `OutboundFailure`. */
  fetch(query: z.output<Query>, upstream: Upstream): Promise<OutboundResponse>;
  /** Makes an answer of a 2xx. What it throws means that upstream answered something else than it documents. */
  parse(body: unknown, response: OutboundResponse, query: z.output<Query>): z.input<Response>;
}

/** The services a scraper may ask, for one request. */
export interface Upstream {
  readonly codeHost: CodeHost;
}

/** Ties the types of a declaration together. */
export function defineScraper<Query extends z.ZodObject, Response extends ScraperResponse>(
  scraper: Scraper<Query, Response>,
): Scraper<Query, Response> {
  return scraper;
}
