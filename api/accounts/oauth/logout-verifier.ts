import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import type { Configuration, CustomFetch } from 'openid-client';
import { verifyLogoutToken } from './logout-token.ts';
import { type LogoutToken, ProviderUnavailable } from './provider.ts';

/** OpenID Connect Core 15.1: default of a provider that lists no algorithms. */
const DEFAULT_ALGORITHMS = ['RS256'];

/**
 * Verifies logout tokens with the keys and algorithms of the discovery document. Keys are cached for ten minutes. An
 * unknown key id causes a new fetch, at most every 30 s, so that forged tokens do not become requests to the provider.
 */
export function createLogoutVerifier({
  configuration,
  clientId,
  fetch,
}: {
  readonly configuration: () => Promise<Configuration>;
  readonly clientId: string;
  readonly fetch: CustomFetch;
}): (token: string) => Promise<LogoutToken> {
  let known: { readonly url: string; readonly keys: JWTVerifyGetKey } | undefined;
  return async (token) => {
    const server = (await configuration()).serverMetadata();
    const { issuer, jwks_uri: url, id_token_signing_alg_values_supported: algorithms = DEFAULT_ALGORITHMS } = server;
    if (url === undefined) throw new ProviderUnavailable('the discovery document names no keys');
    if (known?.url !== url) known = { url, keys: keysAt(url, fetch) };
    return verifyLogoutToken(token, { issuer, clientId, keys: known.keys, algorithms });
  };
}

function keysAt(url: string, fetch: CustomFetch): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    [customFetch]: (address, { headers, signal }) =>
      fetch(address, {
        method: 'GET',
        headers: Object.fromEntries(headers),
        body: undefined,
        redirect: 'manual',
        signal,
      }),
  });
}
