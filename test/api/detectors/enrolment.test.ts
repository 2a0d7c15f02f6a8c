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
const status = { version: '0.1.0', source: '/dev/kmsg', lagMs: 20, lostRecords: 3, settings: { 'printk.time': 'Y' } };

async function newToken(body: object = {}): Promise<string> {
  const made = await asAdmin('POST', '/api/admin/detector-tokens', body);
  expect(made.status).toBe(201);
  return made.body.token;
}

const enrol = (token: string, hostname: string) =>
  app.call('POST', '/api/detectors/enrolment', {}, { token, hostname, version: '0.1.0' });

describe('token: create (POST /api/admin/detector-tokens)', () => {
  it('is returned once, expires, and only its hash is kept', async () => {
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

  it('is refused to others than administrators, and for users who may not send events', async () => {
    const analyst = await app.signIn(await insertUser(database, { role: 'analyst' }));
    expect((await analyst('POST', '/api/admin/detector-tokens', {})).status).toBe(403);
    const userId = (await insertUser(database)).id;
    expect(await asAdmin('POST', '/api/admin/detector-tokens', { userId })).toMatchObject({
      status: 400,
      body: { issues: [{ field: 'userId' }] },
    });
    expect((await app.withKey(OPERATOR_KEY, 'POST', '/api/admin/detector-tokens', {})).status).toBe(400);
    const named = await app.withKey(OPERATOR_KEY, 'POST', '/api/admin/detector-tokens', { userId: admin.id });
    expect(named.status).toBe(201);
  });
});

describe('enrolment (POST /api/detectors/enrolment)', () => {
  it('gives the host a key with the scope events:write alone, once', async () => {
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
    expect(key).toMatchObject({ userId: admin.id, scopes: ['events:write'], expiresAt: null });
    expect(await auditOf(`detector:${enrolled.body.hostname}`)).toMatchObject([
      { action: 'detector.enrol', actor: expect.stringMatching(/^detector-token:/) },
    ]);
  });

  it('refuses an expired token, one for another host, and one that never was', async () => {
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

  it('replaces the key of an enrolled host only by a token that was made for this host', async () => {
    const hostname = randomName('host');
    const first = await enrol(await newToken(), hostname);
    const open = await newToken();
    expect((await enrol(open, hostname)).status).toBe(409);
    // The refused attempt has not used the token up.
    expect((await enrol(open, randomName('host'))).status).toBe(201);
    const second = await enrol(await newToken({ hostname }), hostname);
    expect(second.status).toBe(201);
    expect((await app.withKey(first.body.apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(401);
    expect((await app.withKey(second.body.apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(204);
  });
});

describe('status and list (PUT /api/detectors/status, GET /api/detectors)', () => {
  it('shows what each detector reported last, and which are silent', async () => {
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

  it('refuses the report of a key that is not that of a host', async () => {
    const { apiKey } = await app.keys.issue({ userId: admin.id, label: 'other', scopes: ['events:write'] });
    expect((await app.withKey(apiKey, 'PUT', '/api/detectors/status', status)).status).toBe(404);
  });
});

function auditOf(target: string) {
  return database.selectFrom('auditLog').where('target', '=', target).orderBy('id').selectAll().execute();
}
