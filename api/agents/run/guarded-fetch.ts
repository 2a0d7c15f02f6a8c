import { OutboundFailure, type OutboundFetch, type OutboundRequest } from '#api/outbound/port.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/**
 * `fetch` on top of the outbound guard: reads the whole response, within limits on time and size. `onForbidden` creates
 * the error for an address that the guard refuses.
 */
export function guardedFetch(
  outbound: OutboundFetch,
  limits: Pick<OutboundRequest, 'timeoutMs' | 'maxBytes' | 'trace'>,
  onForbidden: (reason: string) => Error,
): typeof fetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const { status, headers, body } = await outbound({
      url,
      method: METHODS.find((method) => method === init.method) ?? 'POST',
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
      ...limits,
      ...(init.signal == null ? {} : { signal: init.signal }),
    }).catch((error: unknown) => {
      // Keeps the refusal by the guard distinct: as a response, callers would take it for a temporary error.
      if (error instanceof OutboundFailure && error.reason.startsWith('forbidden_')) throw onForbidden(error.reason);
      throw error;
    });
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(body), {
      status,
      headers: { ...headers },
    });
  };
}
