import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
} from 'openid-client';
import { z } from 'zod';
import { createBoundedFetch, type FetchBounds } from './bounded-fetch.ts';
import { ProviderRefusal, type SignInProvider } from './provider.ts';
import { providerFailure } from './provider-failure.ts';
import { reportedEmail } from './reported-email.ts';

export interface CodeHostConfig {
  /** Base URL of the sign-in pages, with the paths `/login/oauth/authorize` and `/login/oauth/access_token`. */
  readonly authUrl: string;
  /** Base URL of the REST API, with the paths `/user` and `/user/emails`. */
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const userSchema = z.object({ id: z.number().int().positive(), login: z.string() });
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/**
 * Sign-in by OAuth 2.0 with the code host. It issues no ID token: its API returns the user for the access token. Only
 * `/user/emails` has verified addresses. The address in `/user` is one that the user chose to show, verified or not.
 */
export function createCodeHost(config: CodeHostConfig, bounds: FetchBounds = {}): SignInProvider {
  const fetch = createBoundedFetch(bounds);
  const base = `${config.authUrl}/login/oauth`;
  const client = new Configuration(
    // RFC 9207: an issuer in the callback must be this one.
    { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/access_token` },
    config.clientId,
    {},
    ClientSecretPost(config.clientSecret),
  );
  client[customFetch] = fetch;
  if (base.startsWith('http:')) allowInsecureRequests(client); // the operator permits http for a code host in the same network

  async function ask<T>(path: string, accessToken: string, schema: z.ZodType<T>): Promise<T> {
    const response = await fetch(config.apiUrl + path, {
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'user-agent': 'trapline' },
      body: undefined,
      redirect: 'manual',
    });
    if (!response.ok)
      throw new ProviderRefusal('invalid-response', `the code host answered ${path} with status ${response.status}`);
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (!parsed.success)
      throw new ProviderRefusal('invalid-response', `the code host answered ${path} in another form`);
    return parsed.data;
  }

  return {
    id: 'codehost',
    name: 'Code host',
    facts: { protocol: 'oauth', issuer: config.authUrl, certificates: [] },
    async test() {
      // Any response suffices: whether the client is registered shows only at a real sign-in.
      await fetch(config.authUrl, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' });
    },
    async authorizationUrl({ redirectUri, state, codeVerifier }) {
      return buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    async account(callback, { state, codeVerifier }) {
      try {
        const { access_token: token } = await authorizationCodeGrant(client, callback, {
          expectedState: state,
          pkceCodeVerifier: codeVerifier,
        });
        const user = await ask('/user', token, userSchema);
        const emails = await ask('/user/emails?per_page=100', token, emailsSchema);
        const primary = emails.find((one) => one.primary);
        return {
          subject: String(user.id),
          email: reportedEmail(primary?.email),
          emailVerified: primary?.verified === true,
          login: user.login,
        };
      } catch (error) {
        throw providerFailure(error);
      }
    },
  };
}
