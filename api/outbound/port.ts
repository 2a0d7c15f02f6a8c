import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** Fetches from outside under the guard: the address connected to is the one that was classified as public (or permitted by the operator). */
export type OutboundFetch = (request: OutboundRequest) => Promise<OutboundResponse>;

export interface OutboundRequest {
  /** http or https. */
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Of the whole exchange. Default 10,000. */
  readonly timeoutMs?: number;
  /** Of the body after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** What the request belongs to: it is passed on in `traceparent`, unless the headers have one. */
  readonly trace?: TraceContext | undefined;
  /** The origin of the request, when the address comes from a client: a refusal is then an attempt of that client. */
  readonly origin?: RequestOrigin;
}

/** A redirect is a response like any other: it is not followed. */
export interface OutboundResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why nothing came back. `forbidden_…`: the guard, and trying again changes nothing; the others: the other side. */
export type OutboundFailureReason =
  | 'forbidden_url'
  | 'forbidden_header'
  | 'forbidden_address'
  | 'unresolvable'
  | 'unreachable'
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

/** What the guard did not let through. */
export interface OutboundRefusal {
  readonly reason: 'forbidden_url' | 'forbidden_header' | 'forbidden_address';
  /** What was wrong, without the address: that may hold a secret. */
  readonly message: string;
  readonly origin: RequestOrigin | undefined;
}
