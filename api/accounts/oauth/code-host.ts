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
  /** Where people sign in; `/login/oauth/authorize` and `/login/oauth/access_token` are below it. */
  readonly authUrl: string;
  /** Its REST API; `/user` and `/user/emails` are below it. */
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const userSchema = z.object({ id: z.number().int().positive(), login: z.string() });
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/**
 * Sign-in by OAuth 2.0 with the code host. There is no ID token: who it is says its API to the bearer of the access token, and the
 * verified address only `/user/emails` does; the address in `/user` is one the person chose to show, verified or not.
 */
export function createCodeHost(config: CodeHostConfig, bounds: FetchBounds = {}): SignInProvider {
  const fetch = createBoundedFetch(bounds);
  const base = `${config.authUrl}/login/oauth`;
  const client = new Configuration(
    // RFC 9207: when the code host names the issuer in the callback, it is this one.
    { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/access_token` },
    config.clientId,
    {},
    ClientSecretPost(config.clientSecret),
  );
  client[customFetch] = fetch;
  if (base.startsWith('http:')) allowInsecureRequests(client); // the operator's choice, for a code host in the same network

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
      // Any answer will do: whether the client is known there shows only when a person signs in.
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
