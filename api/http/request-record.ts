/** The stored record of one request. It never contains a query, a body, a header value or a secret. */
export interface RequestRecord {
  /** End of the response, epoch milliseconds. */
  readonly timeMs: number;
  readonly requestId: string;
  readonly method: string;
  /** The route pattern; `none` if no route matched. */
  readonly route: string;
  /** Without the query, and with likely secrets redacted. */
  readonly path: string;
  readonly status: number;
  /** Time from the first byte of the request to the last byte of the response. */
  readonly durationMs: number;
  readonly ip: string;
  readonly userAgent: string;
  /** See `actorOf`. */
  readonly actor: string;
  readonly userId: string | null;
  readonly keyId: string | null;
  /** Bytes sent, headers included. */
  readonly bytes: number;
  readonly scraper: string | null;
  /** Source of a scraper's response. */
  readonly cache: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by a scraper route: the scraper, and the source of its response. */
    scraped?: { readonly scraper: string; readonly cache: string } | undefined;
  }
}
