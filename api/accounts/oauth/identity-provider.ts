import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
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
import { z } from 'zod';
import { createBoundedFetch, type FetchBounds } from './bounded-fetch.ts';
import { createLazyConfiguration } from './lazy-configuration.ts';
import { createLogoutVerifier } from './logout-verifier.ts';
import {
  type ProviderAccount,
  ProviderRefusal,
  type ProviderSession,
  ProviderUnavailable,
  type SignInProvider,
} from './provider.ts';
import { providerFailure } from './provider-failure.ts';
import { claimsOf, claimValues, DEFAULT_POLICY, type ProviderPolicy } from './provider-policy.ts';
import { reportedEmail } from './reported-email.ts';

export interface IdentityProviderConfig {
  /** Issuer URL; a trailing slash is ignored. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Id, name and claims of a listed provider. Not set: the provider of `IDP_ISSUER`. */
  readonly listed?: ListedIdentityProvider | undefined;
}

/** Settings of a listed provider besides its client. */
export interface ListedIdentityProvider {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly claims: { readonly email: string; readonly username: string };
  /** `always`: every reported address counts as verified, because the provider assigns addresses itself. */
  readonly emailVerified: 'claim' | 'always';
  readonly policy: ProviderPolicy;
  /** `provider`: a sign-out also ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0). Default: `here`. */
  readonly signOut?: 'here' | 'provider';
}

const keySetSchema = z.object({ keys: z.array(z.looseObject({})).min(1) });

const SINGLE: ListedIdentityProvider = {
  id: 'idp',
  name: 'Identity provider',
  scopes: ['openid', 'email', 'profile'],
  claims: { email: 'email', username: 'preferred_username' },
  emailVerified: 'claim',
  policy: DEFAULT_POLICY,
};
/** A longer ID token would make a URL that servers reject. Without the hint, the provider asks the user. */
const MAX_HINT_CHARACTERS = 4_000;
const MAX_SID_CHARACTERS = 512;

/**
 * Sign-in by OpenID Connect. The endpoints come from issuer discovery at the first sign-in, not at start-up, so that an
 * unavailable provider does not affect other functions. It verifies state, nonce, PKCE, and the signature, issuer,
 * audience and times of the ID token (OpenID Connect Core 3.1.3.7). A response with another issuer, or without one
 * although the provider announces it, is rejected (RFC 9207).
 */
export function createIdentityProvider(config: IdentityProviderConfig, bounds: FetchBounds = {}): SignInProvider {
  const fetch = createBoundedFetch(bounds);
  const configuration = createLazyConfiguration(() => discover(config, fetch));
  const { id, name, scopes, claims: names, emailVerified, policy, signOut } = config.listed ?? SINGLE;
  const wanted = claimsOf(policy);
  const endsThere = signOut === 'provider';
  return {
    id,
    name,
    policy,
    facts: { protocol: 'oidc', issuer: config.issuer, certificates: [] },
    logoutPath: `/api/auth/oidc/${id}/backchannel-logout`,
    async test() {
      const { jwks_uri: keys, end_session_endpoint: end } = (await discover(config, fetch)).serverMetadata();
      if (endsThere && end === undefined) throw withoutEndpoint();
      if (keys === undefined) throw new ProviderUnavailable('the discovery document names no keys');
      const response = await fetch(keys, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' });
      const parsed = keySetSchema.safeParse(await response.json().catch(() => undefined));
      if (!response.ok || !parsed.success) throw new ProviderUnavailable('the keys of the provider cannot be read');
    },
    async authorizationUrl({ redirectUri, state, nonce, codeVerifier }) {
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
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
        // The e-mail address and its verification must come from the same source, although the standard permits the
        // claims in either.
        const complete = [names.email, ...wanted].every((claim) => claims[claim] !== undefined);
        const reported =
          complete || client.serverMetadata().userinfo_endpoint === undefined
            ? undefined
            : await fetchUserInfo(client, tokens.access_token, claims.sub);
        const person = reported === undefined || typeof claims[names.email] === 'string' ? claims : reported;
        const login = claims[names.username] ?? reported?.[names.username];
        return {
          subject: claims.sub,
          email: reportedEmail(person[names.email]),
          // Some providers send the string "true". Any other value means false.
          emailVerified:
            emailVerified === 'always' || person.email_verified === true || String(person.email_verified) === 'true',
          login: typeof login === 'string' ? login : undefined,
          ...sidOf(claims.sid),
          ...(endsThere ? { session: sessionOf(tokens.id_token) } : {}),
          ...(wanted.length === 0
            ? {}
            : { attributes: new Map(wanted.map((claim) => [claim, claimValues(claims[claim] ?? reported?.[claim])])) }),
        };
      } catch (error) {
        throw providerFailure(error);
      }
    },
    verifyLogout: createLogoutVerifier({ configuration, clientId: config.clientId, fetch }),
    ...(endsThere
      ? {
          async signOutUrl({ idToken }, returnUrl) {
            const client = await configuration();
            if (client.serverMetadata().end_session_endpoint === undefined) throw withoutEndpoint();
            const hint = idToken === undefined ? {} : { id_token_hint: idToken };
            try {
              return buildEndSessionUrl(client, { post_logout_redirect_uri: returnUrl, ...hint });
            } catch (error) {
              throw new ProviderUnavailable('the end_session_endpoint is not a permitted URL', {
                cause: error,
              });
            }
          },
        }
      : {}),
  };
}

function withoutEndpoint(): ProviderUnavailable {
  return new ProviderUnavailable('the discovery document names no end_session_endpoint');
}

/** Returns the session id of the provider, which can be the only identifier in a logout token. */
function sidOf(sid: unknown): Pick<ProviderAccount, 'sid'> {
  return typeof sid === 'string' && sid !== '' && sid.length <= MAX_SID_CHARACTERS ? { sid } : {};
}

function sessionOf(idToken: string | undefined): ProviderSession {
  return idToken === undefined || idToken.length > MAX_HINT_CHARACTERS ? {} : { idToken };
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
        // The operator permits http for a provider in the same network.
        execute: [enableNonRepudiationChecks, ...(bare.startsWith('http:') ? [allowInsecureRequests] : [])],
      },
    );
    if (configuration.serverMetadata().issuer.replace(/\/+$/, '') !== bare)
      throw new ProviderUnavailable('the discovery document names another issuer');
    return configuration;
  } catch (error) {
    // The provider can correct any error in the document without a restart of this service.
    throw new ProviderUnavailable('the discovery of the identity provider failed', { cause: error });
  }
}

/** OpenID Connect Discovery 1.0: a provider that lists no method supports client_secret_basic. */
function secretAsSupported(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}
