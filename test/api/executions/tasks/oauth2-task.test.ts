import { expect, onTestFinished, test } from 'vitest';
import type { HttpTask } from '#api/executions/engine/contract/call-task.ts';
import { TaskFailure } from '#api/executions/engine/contract/task-failure.ts';
import { createHttpExchange } from '#api/executions/tasks/http/http-exchange.ts';
import { createHttpTask } from '#api/executions/tasks/http/http-task.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { startWebServer } from '../../outbound/web-server.ts';
import { taskContext, unbound } from './task-context.ts';

const SECRET = 'client+secret/1';
const context = () => taskContext({ secretNames: ['client'] });

/** An identity provider and a service that accepts its tokens while they are `good`. */
async function startProvider(answer: Record<string, unknown> = { token_type: 'Bearer', expires_in: 3600 }) {
  const asked: { body: string; authorization: string | undefined }[] = [];
  const good = new Set<string>();
  const seen: string[] = [];
  const { port } = await startWebServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { authorization } = request.headers;
    response.setHeader('content-type', 'application/json');
    if (request.url === '/realms/a/oauth2/token') {
      asked.push({ body, authorization });
      const token = `token-${asked.length}-of-this-test`;
      good.add(token);
      const { status = 200, ...extra } = answer;
      response.writeHead(Number(status)).end(JSON.stringify({ access_token: token, ...extra }));
      return;
    }
    seen.push(authorization ?? '');
    const known = good.has((authorization ?? '').replace('Bearer ', ''));
    response.writeHead(known ? 200 : 401).end(JSON.stringify({ received: authorization }));
  });
  return { port, asked, good, seen };
}

function runner(allow: readonly string[] = ['127.0.0.0/8'], hosts: readonly string[] | null = null) {
  const fetch = createOutboundFetch({ allow });
  onTestFinished(() => fetch.close());
  const files = { list: async () => [], find: async () => undefined, read: async () => Buffer.alloc(0) };
  return createHttpTask(
    createHttpExchange({ fetch, resolveSecrets: async () => new Map([['client', { value: SECRET, hosts }]]), files }),
  );
}

const task = (port: number, over: object = {}): HttpTask => ({
  kind: 'http',
  method: 'GET',
  endpoint: `http://127.0.0.1:${port}/things`,
  headers: {},
  query: {},
  body: undefined,
  output: 'content',
  redirect: false,
  authentication: {
    scheme: 'oauth2',
    tokenUrl: `http://127.0.0.1:${port}/realms/a/oauth2/token`,
    clientId: 'trap line',
    clientSecret: { $secret: 'client' },
    clientAuthentication: 'client_secret_post',
    scopes: ['read', 'write'],
    audiences: ['things'],
    ...over,
  },
});

async function errorOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TaskFailure) return error.error;
  throw error ?? new Error('the task did not fail');
}

test('fetches a token with the client credentials, sends it with requests, caches it, and never shows it', async () => {
  const { port, asked, seen } = await startProvider();
  const run = runner();
  expect(await run(task(port), context())).toEqual({ received: 'Bearer [secret]' });
  expect(await run(task(port), context())).toEqual({ received: 'Bearer [secret]' });
  expect(asked).toHaveLength(1);
  expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
    grant_type: 'client_credentials',
    scope: 'read write',
    audience: 'things',
    client_id: 'trap line',
    client_secret: SECRET,
  });
  expect(seen).toEqual(['Bearer token-1-of-this-test', 'Bearer token-1-of-this-test']);
  await run(task(port, { scopes: ['read'] }), context());
  expect(asked).toHaveLength(2);
});

test('sends the client credentials in the header if configured', async () => {
  const { port, asked } = await startProvider();
  await runner()(task(port, { clientAuthentication: 'client_secret_basic' }), context());
  const basic = Buffer.from((asked[0]?.authorization ?? '').replace('Basic ', ''), 'base64').toString();
  expect(basic).toBe(`trap+line:${encodeURIComponent(SECRET)}`);
  expect(asked[0]?.body).not.toContain('client_secret');
});

test('fetches a rejected token again once, and does not cache one without an expiry', async () => {
  const { port, asked, good } = await startProvider();
  const run = runner();
  await run(task(port), context());
  good.clear();
  expect(await run(task(port), context())).toEqual({ received: 'Bearer [secret]' });
  expect(asked).toHaveLength(2);

  const brief = await startProvider({});
  await run(task(brief.port), context());
  await run(task(brief.port), context());
  expect(brief.asked).toHaveLength(2);
});

test('errors contain no secret, and the address guard covers the provider too', async () => {
  const refused = await startProvider({ status: 401, error: 'invalid_client', error_description: SECRET });
  const refusal = await errorOf(runner()(task(refused.port), context()));
  expect(refusal).toMatchObject({ status: 401, detail: 'no access token: the response was 401: invalid_client' });
  expect(refused.seen).toEqual([]);
  const broken = await startProvider({ status: 503 });
  expect((await errorOf(runner()(task(broken.port), context()))).status).toBe(503);
  const odd = await startProvider({ token_type: 'mac' });
  expect((await errorOf(runner()(task(odd.port), context()))).detail).toContain('not a bearer token');
  const guarded = await errorOf(runner([])(task(odd.port), context()));
  expect(guarded).toMatchObject({ status: 403 });
  expect(JSON.stringify([refusal, guarded])).not.toContain(SECRET);
  const undeclared = await errorOf(runner()(task(odd.port), taskContext()));
  expect(undeclared.detail).toContain('not declared');
});

test('OpenID Connect finds the token endpoint in the discovery document, once', async () => {
  let discoveries = 0;
  const { port } = await startWebServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/openid-configuration') {
      discoveries++;
      response.end(JSON.stringify({ token_endpoint: `http://127.0.0.1:${port}/anywhere` }));
    } else if (request.url === '/anywhere')
      response.end(JSON.stringify({ access_token: `token-of-oidc-${discoveries}` }));
    else
      response.end(JSON.stringify({ authorized: request.headers.authorization?.startsWith('Bearer token-of-oidc') }));
  });
  const run = runner();
  const discovery = { tokenUrl: `http://127.0.0.1:${port}/.well-known/openid-configuration`, discover: true };
  expect(await run(task(port, discovery), context())).toEqual({ authorized: true });
  expect(await run(task(port, discovery), context())).toEqual({ authorized: true });
  expect(discoveries).toBe(1);
});

test('does not use a token of another issuer', async () => {
  const claims = Buffer.from(JSON.stringify({ iss: 'https://other.example.org' })).toString('base64url');
  const { port, seen } = await startProvider({ access_token: `e30.${claims}.x`, token_type: 'Bearer' });
  const error = await errorOf(runner()(task(port, { issuers: ['https://id.example.org'] }), context()));
  expect(error).toMatchObject({ status: 401, detail: 'the issuer of the access token is not one of `issuers`' });
  expect(seen).toEqual([]);
  const same = task(port, { issuers: ['https://other.example.org'] });
  await expect(errorOf(runner()(same, context()))).resolves.toMatchObject({ status: 401 });
  expect(seen).toHaveLength(1);
});

test('a secret can contain the whole policy', async () => {
  const { port, asked } = await startProvider();
  const fetch = createOutboundFetch({ allow: ['127.0.0.0/8'] });
  onTestFinished(() => fetch.close());
  const files = { list: async () => [], find: async () => undefined, read: async () => Buffer.alloc(0) };
  const policy = {
    authority: `http://127.0.0.1:${port}/realms/a`,
    grant: 'password',
    username: 'ann',
    password: 'the password of ann',
    client: { id: 'c', authentication: 'none' },
  };
  const values = new Map([['client', unbound(JSON.stringify(policy))]]);
  const run = createHttpTask(createHttpExchange({ fetch, resolveSecrets: async () => values, files }));
  const authentication = { scheme: 'oauth2-secret', secret: 'client', oidc: false } as const;
  await run({ ...task(port), authentication }, context());
  expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
    grant_type: 'password',
    username: 'ann',
    password: 'the password of ann',
    client_id: 'c',
  });
  values.set('client', unbound('not JSON'));
  expect(await errorOf(run({ ...task(port), authentication }, context()))).toMatchObject({
    detail: 'the secret client: it is not JSON with an authentication policy',
  });
});

test('digest authentication answers the challenge', async () => {
  const { port, requests } = await startWebServer((request, response) => {
    const answered = request.headers.authorization?.includes('username="ann"') === true;
    response.writeHead(answered ? 200 : 401, {
      'content-type': 'text/plain',
      'www-authenticate': ['Basic realm="b"', 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256'],
    });
    response.end(answered ? 'welcome' : 'who is it?');
  });
  const authentication = { scheme: 'digest', username: 'ann', password: { $secret: 'client' } } as const;
  expect(await runner()({ ...task(port), authentication }, context())).toBe('welcome');
  expect(requests).toHaveLength(2);
});

test('sends a client secret bound to hosts only to a token endpoint there', async () => {
  const service = await startProvider();
  const elsewhere = await startProvider();
  const run = runner(undefined, [`http://127.0.0.1:${service.port}`]);
  await run(task(service.port), context());
  expect(service.asked).toHaveLength(1);
  const tokenUrl = `http://127.0.0.1:${elsewhere.port}/realms/a/oauth2/token`;
  await expect(run(task(service.port, { tokenUrl }), context())).rejects.toMatchObject({ error: { status: 403 } });
  // A token obtained with the secret may only be sent to these hosts either.
  const stolen = { ...task(service.port), endpoint: `http://127.0.0.1:${elsewhere.port}/things` };
  await expect(run(stolen, context())).rejects.toMatchObject({ error: { status: 403 } });
  expect([elsewhere.asked, elsewhere.seen]).toEqual([[], []]);
});
