import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

/** Claims of the identity provider about a user. Values may have any type: some providers send strings for booleans. */
export interface IdentityProviderAccount {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly preferred_username?: string;
  readonly groups?: unknown;
}

export interface IdentityProviderService {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sets the user at the browser from now on, who signs in without a prompt. Undefined: the user declines. */
  person(account: IdentityProviderAccount | undefined): void;
  /** Stops listening. `start` listens at the same address again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Sets the address to which logout tokens are sent from now on, instead of the public address of the service. */
  deliverLogoutTo(url: string): void;
  /** Response statuses of the deliveries of logout tokens, in order. */
  readonly logoutAnswers: number[];
  /** Signs claims with the provider's key, as a separate token or with another header. */
  sign(claims: JWTPayload, header?: object): Promise<string>;
  /** Received requests, as `METHOD /path`. */
  readonly requests: string[];
}

export interface IdentityProviderOptions {
  readonly redirectUris: readonly string[];
  /** Allowed redirect addresses after the end of a session. */
  readonly signedOutUris?: readonly string[];
  /** Address for logout tokens. ID tokens then contain the session id. */
  readonly logoutUri?: string;
  /**
   * True if the ID token contains the e-mail address. Otherwise only userinfo does, as the standard prefers. Default:
   * false.
   */
  readonly emailInIdToken?: boolean;
  /** Path of the issuer, such as `/realms/staff/`. Default: none. */
  readonly path?: string;
}

/** Starts a real OpenID Connect provider (node-oidc-provider) that requires PKCE. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProviderService> {
  const server = createServer();
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const mount = (options.path ?? '').replace(/\/$/, '');
  const issuer = `http://127.0.0.1:${port}${options.path ?? ''}`;
  const clientId = `trapline-${randomBytes(4).toString('hex')}`;
  const clientSecret = randomBytes(24).toString('base64url');
  const accounts = new Map<string, IdentityProviderAccount>();
  const requests: string[] = [];
  const logoutAnswers: number[] = [];
  let deliverTo: string | undefined;
  let person: IdentityProviderAccount | undefined;

  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...options.redirectUris],
        post_logout_redirect_uris: [...(options.signedOutUris ?? [])],
        ...(options.logoutUri === undefined
          ? {}
          : { backchannel_logout_uri: options.logoutUri, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    async fetch(url, { method, headers, body } = {}) {
      if (deliverTo === undefined) return new Response(null, { status: 503 });
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      // Without the dispatcher of the library, which refuses addresses of this machine.
      const answer = await fetch(`${deliverTo}${pathname}`, {
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { headers }),
        body: String(body),
      });
      logoutAnswers.push(answer.status);
      return answer;
    },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    conformIdTokenClaims: options.emailInIdToken !== true,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'groups'] },
    interactions: { url: (_context, { uid }) => `${mount}/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...accounts.get(sub), sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    // A mounted application receives URLs without its mount path.
    const full = request.url ?? '/';
    if (full.startsWith(`${mount}/interaction/`)) {
      const login = person === undefined ? undefined : { accountId: person.sub };
      if (person !== undefined) accounts.set(person.sub, person);
      await provider.interactionFinished(
        request,
        response,
        login === undefined ? { error: 'access_denied' } : { login },
      );
      return;
    }
    if (mount !== '' && full.startsWith(mount)) {
      Object.assign(request, { url: full.slice(mount.length), originalUrl: full });
    }
    answer(request, response);
  });

  return {
    issuer,
    clientId,
    clientSecret,
    requests,
    logoutAnswers,
    deliverLogoutTo(url) {
      deliverTo = url;
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'test', typ: 'logout+jwt', ...header })
        .sign(privateKey),
    person(account) {
      person = account;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    start: () => listen(server, port),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
