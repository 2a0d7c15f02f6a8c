import type { OutboundFetch, OutboundRequest, OutboundResponse } from '#api/outbound/port.ts';
import { outboundFailure } from './http-answer.ts';
import type { Delivery, Output, OutputMessage } from './port.ts';

/** Maximum number of bytes read from a response. */
const MAX_RESPONSE = 64 * 1024;

/**
 * Sends a request through the outbound guard. Resolves to the response, whatever its status. Rejects with
 * `OutputFailure` if there is no response.
 */
export async function sendRequest(
  fetch: OutboundFetch,
  { headers, maxBytes = MAX_RESPONSE, ...request }: Omit<OutboundRequest, 'signal'>,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const sent = { ...request, headers: { 'user-agent': 'trapline', ...headers }, maxBytes, signal };
  return fetch(sent).catch((error: unknown) => {
    throw outboundFailure(error);
  });
}

/** Calls `sendRequest` with a JSON body. */
export function sendJson(
  fetch: OutboundFetch,
  {
    body,
    headers,
    ...request
  }: { url: string; method?: 'POST' | 'PATCH'; headers?: Record<string, string>; body: object },
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const json = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  return sendRequest(fetch, { method: 'POST', ...request, headers: json, body: JSON.stringify(body) }, signal);
}

/** Returns the JSON object of a response. Empty if the body is not an object. */
export function jsonOf({ body }: OutboundResponse): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Creates a receiver that accepts one message at a time. */
export function oneByOne(deliver: (message: OutputMessage, signal: AbortSignal) => Promise<Delivery>): Output {
  return {
    maxBatch: 1,
    async deliver(batch, signal) {
      let last: Delivery = { answer: '' };
      for (const message of batch) last = await deliver(message, signal);
      return last;
    },
    close: async () => {},
  };
}

/** Returns the value of the header Authorization for a user and a password or token. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Appends a path to a URL, without its query and fragment. */
export function urlBelow(base: string, path: string): string {
  const url = new URL(base);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`;
}
