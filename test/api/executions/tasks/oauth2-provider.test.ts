import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ClientAuthentication, OAuth2Policy } from '#api/executions/engine/contract/http-authentication.ts';
import { createHttpExchange } from '#api/executions/tasks/http/http-exchange.ts';
import { createHttpTask } from '#api/executions/tasks/http/http-task.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { taskContext } from './task-context.ts';

const SECRET = randomBytes(32).toString('base64url');
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** Clients have the name of their authentication method. A suffix distinguishes their keys. */
const CLIENTS: Readonly<Record<string, ClientAuthentication>> = {
  client_secret_basic: 'client_secret_basic',
  client_secret_post: 'client_secret_post',
  client_secret_jwt: 'client_secret_jwt',
  private_key_jwt_ec: 'private_key_jwt',
  private_key_jwt_rsa: 'private_key_jwt',
  private_key_jwt_ed25519: 'private_key_jwt',
  none: 'none',
};
const KEYS: Readonly<Record<string, KeyObject>> = {
  private_key_jwt_ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  private_key_jwt_rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  private_key_jwt_ed25519: generateKeyPairSync('ed25519').privateKey,
};
const GRANTS = ['client_credentials', 'password', 'refresh_token', EXCHANGE];

let issuer: string;
let refreshTokenFor: (clientId: string) => Promise<string>;

/** A real authorization server. `/things` responds with the client, grant and subject of the access token. */
beforeAll(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: Object.entries(CLIENTS).map(([id, method]) => {
      const {
        d: _private,
        p: _p,
        q: _q,
        dp: _dp,
        dq: _dq,
        qi: _qi,
        ...jwk
      } = KEYS[id]?.export({ format: 'jwk' }) ?? {};
      return {
        client_id: id,
        ...(method.startsWith('client_secret') ? { client_secret: SECRET } : {}),
        ...(method === 'private_key_jwt' ? { jwks: { keys: [jwk] } } : {}),
        token_endpoint_auth_method: method,
        // The standard allows client credentials to confidential clients only.
        grant_types: method === 'none' ? ['refresh_token', 'authorization_code'] : [...GRANTS, 'authorization_code'],
        redirect_uris: ['https://client.example.org/back'],
      };
    }),
    clientAuthMethods: [...new Set(Object.values(CLIENTS))],
    enabledJWA: { clientAuthSigningAlgValues: ['HS256', 'RS256', 'ES256', 'EdDSA', 'Ed25519'] },
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    jwks: { keys: [{ ...KEYS.private_key_jwt_rsa?.export({ format: 'jwk' }), kid: 'test' }] },
    ttl: { AccessToken: 60, ClientCredentials: 60, Grant: 60, RefreshToken: 60 },
    scopes: ['openid', 'offline_access', 'read'],
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  } as ConstructorParameters<typeof Provider>[1]);
  const subjects: Readonly<Record<string, (parameters: Readonly<Record<string, unknown>>) => unknown>> = {
    password: ({ username, password }) => (password === 'pässword&1' ? username : undefined),
    [EXCHANGE]: ({ subject_token: subject, actor_token: actor }) => `${String(subject)} for ${String(actor)}`,
  };
  const parameters = ['username', 'password', 'subject_token', 'subject_token_type', 'actor_token', 'actor_token_type'];
  const grantOf = async (clientId: string, accountId: string) => {
    const grant = new provider.Grant({ clientId, accountId });
    grant.addOIDCScope('openid offline_access read');
    return grant.save();
  };
  for (const [name, subjectOf] of Object.entries(subjects))
    provider.registerGrantType(
      name,
      async (context: KoaContextWithOIDC) => {
        const { client, params = {} } = context.oidc;
        const accountId = subjectOf(params);
        if (typeof accountId !== 'string' || client === undefined) {
          Object.assign(context, { status: 400, body: { error: 'invalid_grant' } });
          return;
        }
        const grantId = await grantOf(client.clientId, accountId);
        const token = new provider.AccessToken({ client, accountId, grantId, gty: name, scope: 'read' } as never);
        context.body = { access_token: await token.save(), expires_in: 60, token_type: 'Bearer' };
      },
      [...parameters, 'scope', 'audience'],
      [],
    );
  refreshTokenFor = async (clientId) => {
    const client = await provider.Client.find(clientId);
    const grantId = await grantOf(clientId, 'ann');
    const given = { client, accountId: 'ann', grantId, gty: 'authorization_code', scope: 'openid offline_access read' };
    return new provider.RefreshToken(given as never).save();
  };
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    if (request.url !== '/things') return answer(request, response);
    const value = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const token = (await provider.AccessToken.find(value)) ?? (await provider.ClientCredentials.find(value));
    const { clientId: client, scope, ...more } = token ?? {};
    const subject = (more as { accountId?: string }).accountId;
    response.writeHead(token === undefined ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ client, scope, subject }));
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});

function call(clientId: string, over: Partial<OAuth2Policy> = {}, discover = false) {
  const fetch = createOutboundFetch({ allow: ['127.0.0.0/8'] });
  onTestFinished(() => fetch.close());
  const files = { list: async () => [], find: async () => undefined, read: async () => Buffer.alloc(0) };
  const key = KEYS[clientId]?.export({ type: 'pkcs8', format: 'pem' }) as string | undefined;
  const secrets = new Map([['client', { value: key ?? SECRET, hosts: null }]]);
  const run = createHttpTask(createHttpExchange({ fetch, resolveSecrets: async () => secrets, files }));
  const clientAuthentication = CLIENTS[clientId] ?? 'none';
  return run(
    {
      kind: 'http',
      method: 'GET',
      endpoint: `${issuer}/things`,
      headers: {},
      query: {},
      body: undefined,
      output: 'content',
      redirect: false,
      authentication: {
        scheme: 'oauth2',
        tokenUrl: discover ? `${issuer}/.well-known/openid-configuration` : `${issuer}/token`,
        ...(discover ? { discover } : {}),
        clientId,
        ...(clientAuthentication.startsWith('client_secret') ? { clientSecret: { $secret: 'client' } } : {}),
        ...(clientAuthentication === 'private_key_jwt' ? { clientAssertion: { $secret: 'client' } } : {}),
        clientAuthentication,
        scopes: ['read'],
        audiences: [],
        ...over,
      },
    },
    taskContext({ secretNames: ['client'] }),
  );
}

test.each(Object.keys(CLIENTS).filter((id) => id !== 'none'))('client credentials of %s', async (client) => {
  expect(await call(client)).toEqual({ client, scope: 'read' });
  expect(await call(client, {}, true)).toEqual({ client, scope: 'read' });
});

test('an assertion signed elsewhere', async () => {
  const client = 'private_key_jwt_ec';
  const clientAssertion = await new SignJWT({ iss: client, sub: client, aud: `${issuer}/token`, jti: 'once' })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(KEYS[client] as KeyObject);
  expect(await call(client, { clientAssertion })).toEqual({ client, scope: 'read' });
});

test('a password', async () => {
  const policy = { grant: 'password', username: 'ann', password: 'pässword&1' } as const;
  expect(await call('client_secret_basic', policy)).toEqual({
    client: 'client_secret_basic',
    scope: 'read',
    subject: 'ann',
  });
  await expect(call('client_secret_post', { ...policy, password: 'wrong' })).rejects.toMatchObject({
    error: { status: 401, detail: expect.stringContaining('invalid_grant') },
  });
});

test.each(['client_secret_jwt', 'none'])('a refresh token of %s', async (client) => {
  const subject = { token: await refreshTokenFor(client), type: 'urn:ietf:params:oauth:token-type:refresh_token' };
  expect(await call(client, { grant: 'refresh_token', subject })).toEqual({ client, scope: 'read', subject: 'ann' });
});

test('a token exchange', async () => {
  const type = 'urn:ietf:params:oauth:token-type:access_token';
  const policy = { grant: EXCHANGE, subject: { token: 'ann', type }, actor: { token: 'bob', type } } as const;
  expect(await call('private_key_jwt_rsa', policy)).toEqual({
    client: 'private_key_jwt_rsa',
    scope: 'read',
    subject: 'ann for bob',
  });
});
