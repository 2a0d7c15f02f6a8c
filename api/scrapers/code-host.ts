import type { OutboundFetch, OutboundResponse } from '#api/outbound/port.ts';

/** The code host's REST API. */
export interface CodeHost {
  /** Requests `/segment/segment…`; segments and values are escaped. Rejects with `OutboundFailure`. */
  get(segments: readonly string[], query?: Readonly<Record<string, string>>): Promise<OutboundResponse>;
}

export interface CodeHostConfig {
  /** URL without a trailing slash. */
  readonly url: string;
  /** Sent only to `url`: redirects are not followed. */
  readonly token?: string | undefined;
}

const API_VERSION = '2022-11-28';

/**
 * Creates a client of the code host for one of our requests. Sends its request id, so that both sides can find it in
 * their logs. https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api
 */
export function createCodeHost(
  fetch: OutboundFetch,
  { url, token }: CodeHostConfig,
  request: { readonly requestId: string; readonly signal: AbortSignal },
): CodeHost {
  return {
    get(segments, query = {}) {
      const search = new URLSearchParams(query).toString();
      return fetch({
        url: `${url}/${segments.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`,
        headers: {
          accept: 'application/vnd.github+json',
          'user-agent': 'trapline',
          'x-github-api-version': API_VERSION,
          'x-request-id': request.requestId,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        signal: request.signal,
      });
    },
  };
}
