import type { Pool } from 'undici';
import { NO_TRACING, type Tracing } from '#schemas/tracing/tracing.ts';
import { createAllowList } from './allow-list.ts';
import { checkHeaders } from './check-headers.ts';
import { checkUrl } from './check-url.ts';
import { createConnections } from './connections.ts';
import { failureOf } from './failure-of.ts';
import {
  OutboundFailure,
  type OutboundFetch,
  type OutboundRefusal,
  type OutboundRequest,
  type OutboundResponse,
} from './port.ts';
import { ACCEPT_ENCODING, readResponse } from './read-response.ts';
import { resolveDestination } from './resolve-destination.ts';
import { createNameResolver, type Resolve } from './resolve-name.ts';
import { traceRequests } from './trace-requests.ts';

export interface OutboundDeps {
  /** Networks or host:port entries that are permitted although they are not public. */
  readonly allow: readonly string[];
  /** Default: the hosts file and DNS of the machine. */
  readonly resolve?: Resolve;
  /** Called for every request that the guard refused. */
  readonly onRefusal?: (refusal: OutboundRefusal) => void;
  /** Default: off. */
  readonly tracing?: Tracing;
  /** Trusted certificates, PEM. Default: those of the runtime. */
  readonly ca?: string;
}

export interface OutboundLimits {
  /** Time-out of the whole exchange, from resolving the name to the last byte of the body, ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Maximum bytes of a body after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
  /** Maximum bytes of all headers. Default 32 KiB. */
  readonly maxHeaderBytes?: number;
}

/** Time-out per address; a name can have several. */
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * The only function for requests to external URLs. It parses the URL strictly, resolves its name, classifies every
 * address, connects only to these addresses, and reads the response within limits of time and size. Redirects are not
 * followed.
 *
 * Rejects only with `OutboundFailure`. When it is closed, requests in flight and all later requests reject with
 * `aborted`.
 */
export function createOutboundFetch(
  { allow, resolve = createNameResolver(), onRefusal = () => {}, tracing = NO_TRACING, ca }: OutboundDeps,
  limits: OutboundLimits = {},
): OutboundFetch & { close(): Promise<void> } {
  const { timeoutMs = 10_000, maxBytes = 5 * 2 ** 20, maxHeaderBytes = 32 * 2 ** 10 } = limits;
  const allowList = createAllowList(allow);
  const connections = createConnections({
    connectTimeoutMs: Math.min(timeoutMs, CONNECT_TIMEOUT_MS),
    maxHeaderBytes,
    ca,
  });

  const closing = new AbortController();

  const send: OutboundFetch = async (request) => {
    const given = request.signal === undefined ? closing.signal : AbortSignal.any([closing.signal, request.signal]);
    const timeout = AbortSignal.timeout(request.timeoutMs ?? timeoutMs);
    const signal = AbortSignal.any([timeout, given]);
    try {
      signal.throwIfAborted();
      const destination = checkUrl(request.url, allowList);
      checkHeaders(request.headers);
      const addresses = await unlessAborted(resolveDestination(destination, resolve, allowList), signal);
      const { url } = destination;
      const pool = await connections.to(destination, addresses, request.certificate);
      return await exchange(pool, url, request, request.maxBytes ?? maxBytes, signal);
    } catch (error) {
      const failure = failureOf(error, timeout, given);
      if (isRefusal(failure.reason))
        onRefusal({ reason: failure.reason, message: failure.message, origin: request.origin });
      throw failure;
    }
  };
  const outboundFetch = traceRequests(send, tracing);
  const close = () => {
    closing.abort();
    return connections.close();
  };
  return Object.assign(outboundFetch, { close });
}

async function exchange(
  pool: Pool,
  url: URL,
  request: OutboundRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { statusCode, headers, body } = await pool.request({
    path: url.pathname + url.search,
    method: request.method ?? 'GET',
    headers: { 'accept-encoding': ACCEPT_ENCODING, ...request.headers },
    body: request.body ?? null,
    signal,
  });
  try {
    if (Number(headers['content-length'] ?? 0) > maxBytes && request.method !== 'HEAD')
      throw new OutboundFailure('too_large', `the response is larger than ${maxBytes} bytes`);
    const encoding =
      request.method === 'HEAD' || statusCode === 204 || statusCode === 304
        ? ''
        : headerText(headers['content-encoding']);
    return { status: statusCode, headers: plainHeaders(headers), body: await readResponse(body, encoding, maxBytes) };
  } catch (error) {
    body.on('error', () => {}).destroy(); // also closes the connection without waiting for remaining data
    throw error;
  }
}

function isRefusal(reason: string): reason is OutboundRefusal['reason'] {
  return reason.startsWith('forbidden_');
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerText(value)]));
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** Resolvers cannot be stopped, but the caller stops waiting for them. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
