import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createHasher } from '#api/accounts/passwords/hasher.ts';
import { createAudit } from '#api/audit/audit.ts';
import { detectorsDeps } from '#api/detectors/detectors-deps.ts';
import { registerDetectors } from '#api/detectors/register-detectors.ts';
import { randomName } from '#test/support/random-name.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { insertUser } from '../accounts/keys/key-fixture.ts';
import { runKeyedApp } from '../keyed-app.ts';
import { OPERATOR_KEY } from '../running-app.ts';

const { url, database } = await usePostgres();
const hasher = createHasher({ threads: 1, cost: 4 });
const app = await runKeyedApp(url, (server, { database, revokeKey }) => {
  registerDetectors(
    server,
    detectorsDeps({ database, audit: createAudit(), ...createKeyMaking({ hasher }), revokeKey }),
  );
});
afterAll(async () => {
  await app.end();
  await hasher.close();
});
const admin = await insertUser(database, { role: 'admin' });
const asAdmin = await app.signIn(admin);
const status = {
  version: '0.1.0',
  source: '/dev/kmsg',
  lagMs: 20,
  lostRecords: 3,
  refusedEvents: 2,
  settings: { 'printk.time': 'Y' },
};

async function newToken(body: object = {}): Promise<string> {
  const made = await asAdmin('POST', '/api/admin/detector-tokens', body);
  expect(made.status).toBe(201);
  return made.body.token;
}

const enrol = (token: string, hostname: string) =>
  app.call('POST', '/api/detectors/enrolment', {}, { token, hostname, version: '0.1.0' });

describe('token: create (POST /api/admin/detector-tokens)', () => {
  it('is returned once, expires, and only its hash is stored', async () => {
    const made = await asAdmin('POST', '/api/admin/detector-tokens', { expiresInMinutes: 5 });
    expect(made.body).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^tld_[\w-]{43}$/),
      expiresAt: expect.any(String),
    });
    const rows = await database.selectFrom('detectorTokens').where('id', '=', made.body.id).selectAll().execute();
    expect(rows).toMatchObject([{ ownerId: admin.id, createdBy: `user:${admin.id}`, usedAt: null }]);
    expect(JSON.stringify([rows, await auditOf(`detector-token:${made.body.id}`)])).not.toContain(made.body.token);
    expect(await auditOf(`detector-token:${made.body.id}`)).toMatchObject([{ action: 'detector-token.create' }]);
  });

  it('is rejected for users without the administrator role', async () => {
    const analyst = await app.signIn(await insertUser(database, { role: 'analyst' }));
    expect((await analyst('POST', '/api/admin/detector-tokens', {})).status).toBe(403);
    expect((await app.withKey(OPERATOR_KEY, 'POST', '/api/admin/detector-tokens', {})).status).toBe(201);
  });

  it.each([
    ['is disabled', { disabled: true }],
    ['is past the end date', { endDate: sql<Date>`now() - interval '1 second'` }],
    ['is an administrator no longer', { role: 'user' as const }],
  ])('is rejected if the account of its administrator %s', async (_, change) => {
    const maker = await insertUser(database, { role: 'admin' });
    const asMaker = await app.signIn(maker);
    const { body } = await asMaker('POST', '/api/admin/detector-tokens', {});
    await database.updateTable('users').set(change).where('id', '=', maker.id).execute();
    expect((await enrol(body.token, randomName('host'))).status).toBe(401);
  });
});

describe('enrolment (POST /api/detectors/enrolment)', () => {
  it('gives the host a key with only the scope events:write, once', async () => {
    const hostname = randomName('host');
    const token = await newToken();
    const [first, second] = await Promise.all([enrol(token, hostname), enrol(token, randomName('host'))]);
    expect([first.status, second.status].sort()).toEqual([201, 401]);
    const enrolled = first.status === 201 ? first : second;
    expect(enrolled.body).toMatchObject({ keyId: enrolled.body.apiKey.split('.')[0] });
    const key = await database
      .selectFrom('apiKeys')
      .where('keyId', '=', enrolled.body.keyId)
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(key).toMatchObject({
      userId: null,
      hostname: enrolled.body.hostname,
      scopes: ['events:write'],
      expiresAt: null,
    });
    expect(await auditOf(`detector:${enrolled.body.hostname}`)).toMatchObject([
      { action: 'detector.enrol', actor: expect.stringMatching(/^detector-token:/) },
    ]);
  });

  it('rejects an expired, foreign or unknown token', async () => {
    const expired = await newToken();
    await database
      .updateTable('detectorTokens')
      .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
      .where('usedAt', 'is', null)
      .execute();
    const other = await newToken({ hostname: 'web-7' });
    for (const token of [expired, other, `tld_${'x'.repeat(43)}`])
      expect((await enrol(token, randomName('host'))).status).toBe(401);
  });

  it('replaces the key of an enrolled host only with a token for this host', async () => {
    const hostname = randomName('host');
    const first = await enrol(await newToken(), hostname);
    const open = await newToken();
    expect((await enrol(open, hostname)).status).toBe(409);
    // The rejected attempt did not consume the token.
    expect((await enrol(open, randomName('host'))).status).toBe(201);
    const second = await enrol(await newToken({ hostname }), hostname);
    expect(second.status).toBe(201);
    expect((await app.withKey(first.body.apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(401);
    expect((await app.withKey(second.body.apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(204);
  });
});

describe('status and list (PUT /api/detectors/status, GET /api/detectors)', () => {
  it('shows the last report of each detector, and silent detectors', async () => {
    const hostname = randomName('host');
    const { body } = await enrol(await newToken(), hostname);
    const listed = async () => {
      const all = await asAdmin('GET', '/api/detectors');
      return all.body.data.find((one: { hostname: string }) => one.hostname === hostname);
    };
    expect(await listed()).toMatchObject({ version: '0.1.0', lastSeenAt: null, silent: false, settings: {} });
    expect((await app.withKey(body.apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(204);
    expect(await listed()).toMatchObject({ ...status, keyId: body.keyId, silent: false });
    await database
      .updateTable('detectors')
      .set({ lastSeenAt: sql<Date>`now() - interval '6 minutes'` })
      .where('hostname', '=', hostname)
      .execute();
    expect(await listed()).toMatchObject({ silent: true });
  });

  it('rejects a report with a key that does not belong to a host', async () => {
    const { apiKey } = await app.keys.issue({ userId: admin.id, label: 'other', scopes: ['events:write'] });
    expect((await app.withKey(apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(404);
  });
});

describe('key of a host', () => {
  const event = (hostname: string | null) =>
    `{"version":"V1","timestamp":"2026-03-01T00:00:00Z","hostname":${JSON.stringify(hostname)},"event":{}}`;

  it('stays valid when the administrator is disabled or the account deleted', async () => {
    const maker = await insertUser(database, { role: 'admin' });
    const asMaker = await app.signIn(maker);
    const { body: made } = await asMaker('POST', '/api/admin/detector-tokens', {});
    const { body } = await enrol(made.token, randomName('host'));
    await database.updateTable('users').set({ disabled: true }).where('id', '=', maker.id).execute();
    await app.keys.changes.announce({ userId: maker.id });
    expect((await app.withKey(body.apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(204);
    await database.deleteFrom('users').where('id', '=', maker.id).execute();
    await app.keys.changes.announce({ keyId: body.keyId });
    expect((await app.withKey(body.apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(204);
  });

  it('permits only events of its host', async () => {
    const hostname = randomName('host');
    const { body } = await enrol(await newToken(), hostname);
    const post = (text: string) =>
      fetch(`${app.url}/api/events`, {
        method: 'POST',
        headers: { 'x-api-key': body.apiKey, 'content-type': 'application/x-ndjson' },
        body: text,
      });
    expect((await post([event(hostname), event('other'), event(null)].join('\n'))).status).toBe(200);
    // The route names the host; `ingest/http/host-check.ts` rejects the events of others.
    expect(app.submitted.at(-1)).toMatchObject({ hostname });
    expect((await app.withKey(body.apiKey, 'GET', '/api/detectors')).status).toBe(403);
    expect((await app.withKey(body.apiKey, 'POST', '/api/admin/detector-tokens', {})).status).toBe(401);
  });

  it('is rejected for the status of another host', async () => {
    const hostname = randomName('host');
    const { body } = await enrol(await newToken(), hostname);
    const report = (name: string) =>
      app.withKey(body.apiKey, 'PUT', '/api/detectors/status', { ...status, hostname: name });
    expect(await report('web-8')).toMatchObject({
      status: 403,
      body: { issues: [{ code: 'other_host', message: expect.stringContaining(hostname) }] },
    });
    expect((await report(hostname)).status).toBe(204);
  });

  it('is revoked with its host, which can be enrolled again (DELETE /api/admin/detectors/:hostname)', async () => {
    const hostname = randomName('host');
    const { body } = await enrol(await newToken(), hostname);
    expect((await asAdmin('DELETE', `/api/admin/detectors/${hostname}`)).status).toBe(204);
    expect((await app.withKey(body.apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(401);
    expect((await asAdmin('DELETE', `/api/admin/detectors/${hostname}`)).status).toBe(404);
    expect((await enrol(await newToken(), hostname)).status).toBe(201);
    expect(await auditOf(`detector:${hostname}`)).toMatchObject([
      { action: 'detector.enrol' },
      { action: 'detector.revoke' },
      { action: 'detector.enrol' },
    ]);
    expect(await auditOf(`key:${body.keyId}`)).toMatchObject([{ action: 'key.revoke' }]);
  });
});

function auditOf(target: string) {
  return database.selectFrom('auditLog').where('target', '=', target).orderBy('id').selectAll().execute();
}
