import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAudit } from '#api/audit/audit.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { createOutputs } from '#api/outputs/outputs.ts';
import { outputDefinitionRoutes } from '#api/outputs/routes/definitions.ts';
import { outputDeliveryRoutes } from '#api/outputs/routes/deliveries.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { type Description, examine } from '../../description.ts';
import { ADMIN_KEY, OPERATOR_KEY, operatorGuard, runApp } from '../../running-app.ts';

const { database } = await usePostgres();
const SIGNING = 'sign-with-this-9f8e7d6c5b4a';
const CHAT_URL = 'https://chat.example/hooks/T0-very-secret-path';

async function standing(secret = 'a secret of the tests, 32 characters') {
  const fetch_ = createOutboundFetch({ allow: ['127.0.0.0/8'] });
  onTestFinished(() => fetch_.close());
  const seal = createSeal([secret]);
  const outputs = createOutputs({ database, audit: createAudit(), seal, reach: { fetch: fetch_ } });
  const { url } = await runApp({
    deps: {
      guard: {
        ...operatorGuard(),
        verifyKey: async () => ({
          kind: 'key',
          userId: 'u',
          username: 'ana',
          role: 'analyst',
          keyId: 'k',
          scopes: ['detections:read', 'detections:write'],
        }),
      },
    },
    prepare(app) {
      outputDefinitionRoutes(app, { database, outputs });
      outputDeliveryRoutes(app, { database, outputs });
    },
  });
  const call = async (method: string, path: string, body?: unknown, key = OPERATOR_KEY, ifMatch?: string) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const etag = response.headers.get('etag');
    return { status: response.status, etag, text, body: text === '' ? undefined : JSON.parse(text) };
  };
  return { call, url };
}

async function receiver(status: number) {
  const server = createServer(
    (request, response) => void request.resume().on('end', () => response.writeHead(status).end('said')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
}

test('outputs are created, read, changed, tested and removed; secrets are never returned; each change is audited', async () => {
  const { call } = await standing();
  const url = await receiver(200);
  const made = await call('POST', '/api/outputs', {
    type: 'webhook',
    name: 'siem hook',
    settings: { url },
    secrets: { signingKey: SIGNING },
  });
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'siem hook', type: 'webhook', enabled: true, filter: {}, settings: { url }, secrets: ['signingKey'] },
  });
  const { id } = made.body as { id: string };
  const chat = await call('POST', '/api/outputs', {
    type: 'chat',
    name: 'room',
    settings: {},
    secrets: { url: CHAT_URL },
    filter: { minSeverity: 'high' },
  });
  expect(chat).toMatchObject({ status: 201, body: { settings: { style: 'slack' }, secrets: ['url'] } });
  expect(await call('POST', `/api/outputs/${id}/test`)).toMatchObject({
    status: 200,
    body: { ok: true, answer: 'HTTP 200: said' },
  });
  const changed = await call('PATCH', `/api/outputs/${id}`, {
    name: 'hook',
    enabled: false,
    filter: { hosts: ['web-*'] },
  });
  expect(changed).toMatchObject({ status: 200, body: { name: 'hook', enabled: false, secrets: ['signingKey'] } });
  const deliveries = await call('GET', `/api/outputs/${id}/deliveries`);
  expect(deliveries).toMatchObject({
    status: 200,
    body: {
      state: 'paused',
      lag: { messages: 0, oldestAt: null },
      delivered: 0,
      deadLetters: { data: [], nextCursor: null },
    },
  });
  expect(await call('POST', `/api/outputs/${id}/resend`, {})).toMatchObject({ status: 202, body: { count: 0 } });
  const list = await call('GET', '/api/outputs');
  expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(['hook', 'room']);
  const { id: userId } = await database
    .insertInto('users')
    .values({ username: 'ann', email: 'ann@example.org', passwordHash: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await database
    .updateTable('outputs')
    .set({ createdBy: `user:${userId}` })
    .where('id', '=', id)
    .execute();
  expect((await call('GET', '/api/outputs')).body.data).toMatchObject([
    { createdBy: `user:${userId}`, createdByName: 'ann' },
    { createdBy: 'operator', createdByName: null },
  ]);
  expect((await call('GET', `/api/outputs/${id}`)).body).toMatchObject({ createdByName: 'ann' });
  expect((await call('DELETE', `/api/outputs/${chat.body.id}`)).status).toBe(204);
  expect((await call('GET', `/api/outputs/${chat.body.id}`)).status).toBe(404);

  const audit = await database.selectFrom('auditLog').selectAll().orderBy('id').execute();
  expect(audit.map(({ action }) => action)).toEqual([
    'output.create',
    'output.create',
    'output.test',
    'output.update',
    'output.delete',
  ]);
  expect(audit[3]?.diff).toMatchObject({ name: { before: 'siem hook', after: 'hook' }, enabled: { after: false } });
  const rows = await database.selectFrom('outputs').selectAll().execute();
  const everything =
    [made, chat, changed, list, deliveries].map(({ text }) => text).join() + JSON.stringify([audit, rows]);
  for (const secret of [SIGNING, 'very-secret-path']) expect(everything).not.toContain(secret);
  expect(rows[0]?.secrets?.toString('latin1')).not.toContain(SIGNING);
});

test('a changed receiver requires its secrets again, and so do secrets that cannot be decrypted', async () => {
  const { call } = await standing();
  const secrets = { signingKey: SIGNING, authorization: 'Bearer x' };
  const { body } = await call('POST', '/api/outputs', {
    type: 'webhook',
    name: 'moving',
    settings: { url: 'https://a.example/' },
    secrets,
  });
  const path = `/api/outputs/${body.id}`;
  const elsewhere = { settings: { url: 'https://b.example/' } };
  const refused = await call('PATCH', path, elsewhere);
  expect(refused.status).toBe(400);
  expect(refused.body.issues).toMatchObject([{ field: 'secrets.signingKey', code: 'required' }]);
  expect(await call('PATCH', path, { ...elsewhere, secrets: { signingKey: SIGNING } })).toMatchObject({
    status: 200,
    body: { secrets: ['signingKey'] },
  });
  expect((await call('PATCH', path, { secrets: { signingKey: null } })).status).toBe(400);
  const { call: later } = await standing('another secret of the tests, 32 chars');
  expect(await later('POST', `${path}/test`)).toMatchObject({
    status: 200,
    body: { ok: false, answer: expect.stringContaining('AUTH_SECRET') },
  });
  expect((await later('PATCH', path, { name: 'moved' })).status).toBe(400);
  expect((await later('PATCH', path, { secrets: { signingKey: SIGNING } })).status).toBe(200);
});

test('of two administrators with the same version, one changes or deletes the output and the other gets 412', async () => {
  const { call } = await standing();
  const made = await call('POST', '/api/outputs', {
    type: 'syslog',
    name: 'both at once',
    settings: { host: 'log.example', port: 6514 },
  });
  const { id, etag } = made.body as { id: string; etag: string };
  expect(made.etag).toBe(etag);
  const path = `/api/outputs/${id}`;
  const change = (name: string) => call('PATCH', path, { name }, OPERATOR_KEY, etag);
  const answers = await Promise.all(['first', 'second', 'third'].map(change));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  const refused = answers.find(({ status }) => status === 412);
  expect(refused?.body.issues).toMatchObject([{ field: 'if-match', code: 'precondition_failed' }]);
  const done = answers.find(({ status }) => status === 200);
  const now = await call('GET', path);
  expect(now).toMatchObject({ status: 200, etag: done?.etag, body: { name: done?.body.name, etag: done?.etag } });
  expect(now.etag).not.toBe(etag);
  const changes = database.selectFrom('auditLog').selectAll().where('target', '=', `output:${id}`);
  expect((await changes.execute()).map(({ action }) => action)).toEqual(['output.create', 'output.update']);

  expect((await call('DELETE', path, undefined, OPERATOR_KEY, etag)).status).toBe(412);
  // A request without If-Match overwrites any version.
  expect((await call('PATCH', path, { name: 'last one wins' })).status).toBe(200);
  expect((await call('DELETE', path, undefined, OPERATOR_KEY, '*')).status).toBe(204);
});

test('rejects unavailable types, taken names and settings of another type', async () => {
  const { call } = await standing();
  const syslog = { type: 'syslog', name: 'Taken', settings: { host: 'log.example', port: 6514 } };
  expect((await call('POST', '/api/outputs', syslog)).status).toBe(201);
  const unknownRule = { ...syslog, name: 'rules', filter: { rules: ['stack-canary-probe', 'no-such-rule'] } };
  expect((await call('POST', '/api/outputs', unknownRule)).body.issues).toMatchObject([
    { field: 'filter.rules.1', code: 'invalid_value', message: expect.stringContaining('stack-canary-probe') },
  ]);
  expect((await call('POST', '/api/outputs', { ...syslog, name: 'tAKEN' })).status).toBe(409);
  expect(
    (await call('POST', '/api/outputs', { type: 'kafka', name: 'k', settings: { topic: 't' } })).body.issues,
  ).toMatchObject([{ field: 'type' }]);
  for (const wrong of [
    { type: 'syslog', name: 'x', settings: { host: 'log.example', port: 0 } },
    { type: 'webhook', name: 'x', settings: { url: 'ftp://a.example/' }, secrets: { signingKey: SIGNING } },
    { type: 'webhook', name: 'x', settings: { url: 'https://u:p@a.example/' }, secrets: { signingKey: SIGNING } },
    { type: 'webhook', name: 'x', settings: { url: 'https://a.example/' }, secrets: { signingKey: 'short' } },
    { type: 'chat', name: 'x', settings: {}, secrets: { url: 'https://a.example/', more: '1' } },
    { type: 'siem', name: 'x', settings: {} },
    // Text that PostgreSQL cannot store.
    { ...syslog, name: 'a\0b' },
    { ...syslog, name: 'x', filter: { hosts: ['web-\ud800'] } },
    { ...syslog, name: 'x', settings: { ...syslog.settings, serverName: 'a\0b' } },
    { ...syslog, name: 'x', settings: { ...syslog.settings, ca: '-----BEGIN \0' } },
    { type: 'webhook', name: 'x', settings: { url: 'https://a.example/\ud800' }, secrets: { signingKey: SIGNING } },
  ])
    expect((await call('POST', '/api/outputs', wrong)).status).toBe(400);
  expect((await call('PATCH', `/api/outputs/out_${'0'.repeat(32)}`, { name: 'x' })).status).toBe(404);
  expect((await call('GET', '/api/outputs/nothing')).status).toBe(404);
});

test('only administrators have access, and every route is described', async () => {
  const { call, url } = await standing();
  for (const [method, path] of [
    ['GET', '/api/outputs'],
    ['POST', '/api/outputs'],
    ['PATCH', `/api/outputs/out_${'0'.repeat(32)}`],
    ['DELETE', `/api/outputs/out_${'0'.repeat(32)}`],
    ['GET', `/api/outputs/out_${'0'.repeat(32)}/deliveries`],
    ['POST', `/api/outputs/out_${'0'.repeat(32)}/test`],
    ['POST', `/api/outputs/out_${'0'.repeat(32)}/resend`],
  ] as const)
    expect([401, 403]).toContain(
      (await call(method, path, method === 'GET' ? undefined : {}, 'tl_abcdefghijkl.x')).status,
    );
  const response = await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
  const { names, wrong } = examine((await response.json()) as Description);
  expect(names.filter((name) => name.includes('/outputs'))).toHaveLength(8);
  expect(wrong).toEqual([]);
});
