/** What is kept of one request: never a query, a body, a header's value or anything secret. */
export interface RequestRecord {
  /** When the answer ended. Epoch milliseconds. */
  readonly timeMs: number;
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route; `none` when no route matched. */
  readonly route: string;
  /** Without the query, and without what looks like a secret. */
  readonly path: string;
  readonly status: number;
  /** From the first byte of the request to the last of its answer. */
  readonly durationMs: number;
  readonly ip: string;
  readonly userAgent: string;
  /** See `actorOf`. */
  readonly actor: string;
  readonly userId: string | null;
  readonly keyId: string | null;
  /** Sent, headers included. */
  readonly bytes: number;
  readonly scraper: string | null;
  /** Of a scraper's answer: where it came from. */
  readonly cache: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by a scraper's route: which scraper answered, and from where. */
    scraped?: { readonly scraper: string; readonly cache: string } | undefined;
  }
}
