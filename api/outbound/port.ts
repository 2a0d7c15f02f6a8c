import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/**
 * Sends requests to external hosts under the guard: it connects only to an address that was classified as public, or
 * that the operator permits.
 */
export type OutboundFetch = (request: OutboundRequest) => Promise<OutboundResponse>;

/** Certificate with which a client proves its identity over TLS. All values are PEM. */
export interface ClientCertificate {
  /** Certificate of the client, followed by those of its issuers. */
  readonly certificate: string;
  /** Private key, not encrypted. */
  readonly key: string;
  /** Authorities that the certificate of the server must come from. Not set: those of the runtime. */
  readonly ca?: string | undefined;
}

export interface OutboundRequest {
  /** An http or https URL. */
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Time-out of the whole exchange, ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Maximum bytes of the body after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Client certificate for this request. Ignored without TLS. */
  readonly certificate?: ClientCertificate | undefined;
  /** Trace of the request. It is sent in `traceparent`, unless the headers contain one. */
  readonly trace?: TraceContext | undefined;
  /** The origin of the request if a client chose the URL. A refusal then counts as an abuse signal of that client. */
  readonly origin?: RequestOrigin;
}

/** A response. Redirects are returned as responses and not followed. */
export interface OutboundResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Why there is no response. `forbidden_…`: the guard refused the request, and a retry changes nothing. All others are
 * failures of the other side.
 */
export type OutboundFailureReason =
  | 'forbidden_url'
  | 'forbidden_header'
  | 'forbidden_address'
  | 'unresolvable'
  | 'unreachable'
  | 'untrusted_server'
  | 'certificate_refused'
  | 'timeout'
  | 'too_large'
  | 'broken_response'
  | 'aborted';

export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly reason: OutboundFailureReason;

  constructor(reason: OutboundFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A request that the guard refused. */
export interface OutboundRefusal {
  readonly reason: 'forbidden_url' | 'forbidden_header' | 'forbidden_address';
  /** The reason, without the URL, which can contain a secret. */
  readonly message: string;
  readonly origin: RequestOrigin | undefined;
}
