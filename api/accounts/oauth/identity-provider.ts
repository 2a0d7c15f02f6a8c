import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import { createBoundedFetch, type FetchBounds } from './bounded-fetch.ts';
import { createLazyConfiguration } from './lazy-configuration.ts';
import { ProviderRefusal, ProviderUnavailable, type SignInProvider } from './provider.ts';
import { providerFailure } from './provider-failure.ts';
import { reportedEmail } from './reported-email.ts';

export interface IdentityProviderConfig {
  /** Its issuer URL; a slash at the end does not matter. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Sign-in by OpenID Connect. The provider's addresses come from issuer discovery, at the first sign-in and not at start-up: a provider
 * that is unavailable keeps nothing else from working. Checked are state, nonce, PKCE, and of the ID token signature, issuer, audience and
 * times (OpenID Connect Core 3.1.3.7).
 */
export function createIdentityProvider(config: IdentityProviderConfig, bounds: FetchBounds = {}): SignInProvider {
  const fetch = createBoundedFetch(bounds);
  const configuration = createLazyConfiguration(() => discover(config, fetch));
  return {
    id: 'idp',
    name: 'Identity provider',
    async authorizationUrl({ redirectUri, state, nonce, codeVerifier }) {
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    async account(callback, { state, nonce, codeVerifier }) {
      const client = await configuration();
      try {
        const tokens = await authorizationCodeGrant(client, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new ProviderRefusal('invalid-response', 'there is no ID token');
        // Address and assertion must come from the same place: by the standard either may hold them.
        const person =
          typeof claims.email === 'string' || client.serverMetadata().userinfo_endpoint === undefined
            ? claims
            : await fetchUserInfo(client, tokens.access_token, claims.sub);
        return {
          subject: claims.sub,
          email: reportedEmail(person.email),
          // Some providers send the word; anything else is a no.
          emailVerified: person.email_verified === true || String(person.email_verified) === 'true',
          login: typeof person.preferred_username === 'string' ? person.preferred_username : undefined,
        };
      } catch (error) {
        throw providerFailure(error);
      }
    },
  };
}

async function discover(
  { issuer, clientId, clientSecret }: IdentityProviderConfig,
  fetch: ReturnType<typeof createBoundedFetch>,
): Promise<Configuration> {
  const bare = issuer.replace(/\/+$/, '');
  try {
    const configuration = await discovery(
      new URL(`${bare}/.well-known/openid-configuration`),
      clientId,
      {},
      secretAsSupported(clientSecret),
      {
        [customFetch]: fetch,
        // The operator's choice, for a provider in the same network.
        execute: [enableNonRepudiationChecks, ...(bare.startsWith('http:') ? [allowInsecureRequests] : [])],
      },
    );
    if (configuration.serverMetadata().issuer.replace(/\/+$/, '') !== bare)
      throw new ProviderUnavailable('the discovery document names another issuer');
    return configuration;
  } catch (error) {
    // Whatever is wrong with the document, the operator of the provider can mend it without a restart of ours.
    throw new ProviderUnavailable('the discovery of the identity provider failed', { cause: error });
  }
}

/** OpenID Connect Discovery 1.0: a provider that names no method means client_secret_basic. */
function secretAsSupported(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}
