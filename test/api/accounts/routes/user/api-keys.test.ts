import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { warnOfExpiry } from '#api/accounts/keys/expiry-warnings.ts';
import { newKey, newSecret } from '#api/accounts/keys/key-format.ts';
import { createLeakReports } from '#api/accounts/keys/leaks/leak-reports.ts';
import { createScannerKeys } from '#api/accounts/keys/leaks/scanner-keys.ts';
import { leakedKeyRoute } from '#api/accounts/routes/leaked-keys.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runKeyedApp } from '../../../keyed-app.ts';
import { insertUser } from '../../keys/key-fixture.ts';

const { url, database } = await usePostgres();
const scanner = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const app = await runKeyedApp(url, (server) => {
  const scannerKeys = createScannerKeys({
    fetchList: async () =>
      JSON.stringify({
        public_keys: [{ key_identifier: 'k1', key: scanner.publicKey.export({ type: 'spki', format: 'pem' }) }],
      }),
  });
  const report = createLeakReports(
    {
      database,
      audit: createAudit(),
      jobs: createJobQueue({ database, logger: QUIET_LOG }),
      changes: { announce: async (change) => app.keys.changes.announce(change) },
      hasher: { verify: (secret, hash) => app.keys.hasher.verify(secret, hash) },
    },
    { policy: 'revoke', mailServer: true },
  );
  void leakedKeyRoute(server, { leaks: { report, scannerKeys } });
});
afterAll(() => app.end());
const owner = await insertUser(database);
const asOwner = await app.signIn(owner);

describe('API key: create (POST /api/user/api-keys)', () => {
  it('is active, its plaintext is returned once, and it permits its scopes', async () => {
    const made = await asOwner('POST', '/api/user/api-keys', { label: 'laptop', scopes: ['scrapers'] });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      apiKey: expect.stringMatching(/^tl_[0-9A-Za-z]{12}\.[0-9A-Za-z]{49}$/),
      keyId: made.body.apiKey.split('.')[0],
      label: 'laptop',
      scopes: ['scrapers'],
      expiresAt: null,
    });
    expect((await app.withKey(made.body.apiKey, 'GET', '/keyed')).body.caller).toMatchObject({
      kind: 'key',
      userId: owner.id,
      keyId: made.body.keyId,
      scopes: ['scrapers'],
    });
    const listed = await asOwner('GET', '/api/user/api-keys');
    expect(listed.body.data[0]).toMatchObject({ keyId: made.body.keyId, label: 'laptop', revoked: false });
    expect(JSON.stringify(listed.body)).not.toContain(made.body.apiKey.split('.')[1]);
  });

  it('is rejected with 403 on a route without the scope', async () => {
    const { body } = await asOwner('POST', '/api/user/api-keys', { label: 'narrow', scopes: ['workflows:read'] });
    expect((await app.withKey(body.apiKey, 'GET', '/keyed')).status).toBe(403);
  });

  it('accepts an expiry, and rejects a past one', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const made = await asOwner('POST', '/api/user/api-keys', { label: 'brief', expiresAt });
    expect(made).toMatchObject({ status: 201, body: { expiresAt } });
    const refused = await asOwner('POST', '/api/user/api-keys', { label: 'past', expiresAt: '2020-01-01T00:00:00Z' });
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ field: 'expiresAt', code: 'invalid_value' }] } });
  });

  it('accepts or rejects extreme times without a 5xx', async () => {
    for (const [expiresAt, status] of [
      ['0000-01-01T00:00:00Z', 400],
      ['0001-01-01T00:00:00+23:59', 400],
      ['9999-12-31T23:59:59.999Z', 201],
      ['9999-12-31T23:59:59-23:59', 400],
      ['2030-02-30T00:00:00Z', 400],
    ] as const) {
      expect([expiresAt, (await asOwner('POST', '/api/user/api-keys', { label: 'edge', expiresAt })).status]).toEqual([
        expiresAt,
        status,
      ]);
    }
    expect((await asOwner('GET', '/api/user/api-keys')).status).toBe(200);
  });

  it('rejects scopes beyond the role, unknown fields and invalid labels', async () => {
    for (const [body, field] of [
      [{ label: 'x', scopes: ['admin'] }, 'scopes'],
      // Events open detections, so a detector key must belong to an analyst, an administrator or the operator.
      [{ label: 'x', scopes: ['events:write'] }, 'scopes'],
      [{ label: 'x', scopes: ['everything'] }, 'scopes.0'],
      [{ label: 'x', role: 'admin' }, 'role'],
      [{ label: 'x', userId: owner.id }, 'userId'],
      [{}, 'label'],
      [{ label: '' }, 'label'],
      [{ label: 'a'.repeat(65) }, 'label'],
      [{ label: 'nul\0' }, 'label'],
      [{ label: { $ne: null } }, 'label'],
      [{ label: 'x', expiresAt: 'tomorrow' }, 'expiresAt'],
      [[], '<root>'],
    ] as const) {
      const refused = await asOwner('POST', '/api/user/api-keys', body);
      expect([refused.status, refused.body.issues[0].field]).toEqual([400, field]);
    }
  });

  it('stores labels unchanged in any script', async () => {
    for (const label of ['клавиша', '鍵 🔑', "'; DROP TABLE api_keys; --", '🔑'.repeat(32)]) {
      expect(await asOwner('POST', '/api/user/api-keys', { label })).toMatchObject({ status: 201, body: { label } });
    }
  });
});

describe('API key (active): DELETE /api/user/api-keys/:keyId', () => {
  it('is revoked: revoked keys are rejected by key verification, and stay in the list', async () => {
    const { body } = await asOwner('POST', '/api/user/api-keys', { label: 'goes' });
    expect((await app.withKey(body.apiKey, 'GET', '/keyed')).status).toBe(200);
    expect((await asOwner('DELETE', `/api/user/api-keys/${body.keyId}`)).status).toBe(204);
    const refused = await app.withKey(body.apiKey, 'GET', '/keyed');
    expect(refused.status).toBe(401);
    expect((await asOwner('DELETE', `/api/user/api-keys/${body.keyId}`)).status).toBe(204);
    const { data } = (await asOwner('GET', '/api/user/api-keys')).body;
    expect(data.find(({ keyId }: { keyId: string }) => keyId === body.keyId)).toMatchObject({ revoked: true });

    // Every rejection has the same text: unknown, revoked or malformed.
    const { requestId: _, ...words } = refused.body;
    for (const key of [`${newKey().keyId}.${newKey().secret}`, 'x', body.apiKey.slice(0, -1)]) {
      const { requestId: __, ...same } = (await app.withKey(key, 'GET', '/keyed')).body;
      expect(same).toEqual(words);
    }
  });

  it('of another user, unknown or malformed is a 404 without effect', async () => {
    const other = await insertUser(database);
    const { body } = await asOwner('POST', '/api/user/api-keys', { label: 'stays' });
    const asOther = await app.signIn(other);
    for (const keyId of [body.keyId, newKey().keyId, 'x', '%00', "'"])
      expect((await asOther('DELETE', `/api/user/api-keys/${keyId}`)).status).toBe(404);
    expect((await app.withKey(body.apiKey, 'GET', '/keyed')).status).toBe(200);
    expect((await asOther('GET', '/api/user/api-keys')).body).toEqual({ data: [] });
  });

  it('is audited with actor and address, like its creation', async () => {
    const { body } = await asOwner('POST', '/api/user/api-keys', { label: 'audited' });
    await asOwner('DELETE', `/api/user/api-keys/${body.keyId}`);
    const rows = await database
      .selectFrom('auditLog')
      .where('target', '=', `key:${body.keyId}`)
      .orderBy('id')
      .select(['actor', 'action', 'ip'])
      .execute();
    const by = { actor: `user:${owner.id}`, ip: '127.0.0.1' };
    expect(rows).toEqual([
      { ...by, action: 'key.create' },
      { ...by, action: 'key.revoke' },
    ]);
  });
});

describe('sessions only', () => {
  it('neither a key nor an anonymous caller can create a key', async () => {
    const { body } = await asOwner('POST', '/api/user/api-keys', { label: 'no climber' });
    for (const [method, path] of [
      ['GET', '/api/user/api-keys'],
      ['POST', '/api/user/api-keys'],
      ['DELETE', `/api/user/api-keys/${body.keyId}`],
    ] as const) {
      const sent = method === 'POST' ? { label: 'x' } : undefined;
      expect((await app.withKey(body.apiKey, method, path, sent)).status).toBe(401);
      expect((await app.withKey('', method, path, sent)).status).toBe(401);
    }
  });
});

describe('API key: rotate (POST /api/user/api-keys/:keyId/rotate)', () => {
  it('gets a new secret; the previous one is valid until the end of the overlap, an earlier one is not', async () => {
    const { body: made } = await asOwner('POST', '/api/user/api-keys', { label: 'rotated', scopes: ['scrapers'] });
    const status = async (key: string) => (await app.withKey(key, 'GET', '/keyed')).status;
    expect(await status(made.apiKey)).toBe(200);
    const path = `/api/user/api-keys/${made.keyId}`;
    const first = await asOwner('POST', `${path}/rotate`, {});
    expect(first).toMatchObject({ status: 200, body: { keyId: made.keyId, expiresAt: null } });
    expect([await status(made.apiKey), await status(first.body.apiKey)]).toEqual([200, 200]);
    const second = await asOwner('POST', `${path}/rotate`, { overlapSeconds: 600 });
    expect([await status(made.apiKey), await status(first.body.apiKey), await status(second.body.apiKey)]).toEqual([
      401, 200, 200,
    ]);
    const third = await asOwner('POST', `${path}/rotate`, { overlapSeconds: 0 });
    expect([await status(second.body.apiKey), await status(third.body.apiKey)]).toEqual([401, 200]);
    // A later expiry applies only to the new secret.
    const [soon, later] = [60_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    await asOwner('POST', `${path}/rotate`, { expiresAt: soon });
    const fifth = await asOwner('POST', `${path}/rotate`, { expiresAt: later });
    expect(fifth.body).toMatchObject({ expiresAt: later, previousUntil: soon });
    const other = await app.signIn(await insertUser(database));
    expect((await other('POST', `${path}/rotate`, {})).status).toBe(404);
    await asOwner('DELETE', path);
    expect((await asOwner('POST', `${path}/rotate`, {})).status).toBe(409);
    const actions = await database
      .selectFrom('auditLog')
      .select('action')
      .where('target', '=', `key:${made.keyId}`)
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(['key.create', ...Array(5).fill('key.rotate'), 'key.revoke']);
  });
});

describe('API key: restrictions (PATCH /api/user/api-keys/:keyId)', () => {
  it('limit a key to its networks, its workflows and its request rates', async () => {
    const { body: made } = await asOwner('POST', '/api/user/api-keys', {
      label: 'restricted',
      scopes: ['scrapers'],
      networks: ['203.0.113.0/24'],
    });
    const path = `/api/user/api-keys/${made.keyId}`;
    const call = () => app.withKey(made.apiKey, 'GET', '/keyed');
    expect((await call()).status).toBe(403);
    expect((await asOwner('PATCH', path, { networks: ['127.0.0.0/8', '::1'] })).status).toBe(204);
    expect((await call()).status).toBe(200);
    await asOwner('PATCH', path, { workflows: ['nightly'], agents: [] });
    expect((await call()).status).toBe(403);
    await asOwner('PATCH', path, { workflows: [], agents: [], requestsPerMinute: 2, requestsPerDay: 100 });
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    const limited = await call();
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    await asOwner('PATCH', path, { requestsPerMinute: null });
    expect((await call()).status).toBe(200);
    const { body } = await asOwner('GET', '/api/user/api-keys');
    expect(body.data.find(({ keyId }: { keyId: string }) => keyId === made.keyId)).toMatchObject({
      networks: ['127.0.0.0/8', '::1'],
      workflows: [],
      agents: [],
      requestsPerMinute: null,
      requestsPerDay: 100,
    });
    for (const wrong of [
      { networks: ['127.0.0.1/33'] },
      { networks: ['example.org'] },
      { requestsPerMinute: 0 },
      { workflows: ['a'] },
      { workflows: ['a/b'], agents: [] },
    ])
      expect((await asOwner('PATCH', path, wrong)).status, JSON.stringify(wrong)).toBe(400);

    await app.keys.usage.close();
    const usage = await asOwner('GET', `${path}/usage`);
    expect(usage.body).toEqual({
      days: [
        { day: expect.stringMatching(/^20\d\d-\d\d-\d\d$/), requests: 4, groups: [{ group: 'keyed', requests: 4 }] },
      ],
    });
    const other = await app.signIn(await insertUser(database));
    expect((await other('GET', `${path}/usage`)).status).toBe(404);
    expect((await other('PATCH', path, { label: 'mine' })).status).toBe(404);
  });
});

describe('API key: warning before its expiry', () => {
  it('is mailed once per expiry, and not for a key that lives only a week', async () => {
    const mails = () => database.selectFrom('jobs').select('payload').where('queue', '=', 'mail').execute();
    const week = new Date(Date.now() + 6 * 86_400_000).toISOString();
    const { body: soon } = await asOwner('POST', '/api/user/api-keys', { label: 'soon', expiresAt: week });
    const { body: brief } = await asOwner('POST', '/api/user/api-keys', { label: 'short', expiresAt: week });
    await database
      .updateTable('apiKeys')
      .set({ createdAt: new Date(Date.now() - 30 * 86_400_000) })
      .where('keyId', '=', soon.keyId)
      .execute();
    const jobs = createJobQueue({ database, logger: QUIET_LOG });
    expect(await warnOfExpiry({ database, jobs })).toBe(1);
    expect(await warnOfExpiry({ database, jobs })).toBe(0);
    expect(await mails()).toMatchObject([
      { payload: { kind: 'key-expiry', key: { keyId: soon.keyId, label: 'soon' } } },
    ]);
    expect(brief.keyId).not.toBe(soon.keyId);
  });
});

describe('API key: reported as leaked (POST /api/leaked-keys)', () => {
  const report = async (body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}/api/leaked-keys`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'github-public-key-identifier': 'k1',
        'github-public-key-signature': sign('sha256', Buffer.from(body), scanner.privateKey).toString('base64'),
        ...headers,
      },
      body,
    });
    return { status: response.status, body: (await response.json()) as { label?: string }[] };
  };
  const hashOf = (token: string) => createHash('sha256').update(token).digest('base64');

  it('is revoked with a mail to its owner and an answer to the scanner, if the report is signed', async () => {
    const { body: made } = await asOwner('POST', '/api/user/api-keys', { label: 'public', scopes: ['scrapers'] });
    const token = made.apiKey;
    const forged = `${made.keyId}.${newSecret(made.keyId)}`;
    const found = (...tokens: string[]) =>
      JSON.stringify(tokens.map((text) => ({ token: text, type: 'trapline_api_key', url: 'https://example.org/a' })));
    const body = found(token, forged, 'tl_short');
    expect((await report(body, { 'github-public-key-signature': 'AAAA' })).status).toBe(401);
    expect((await report(body, { 'github-public-key-identifier': 'k2' })).status).toBe(401);
    expect((await report('{}')).status).toBe(400);
    expect((await app.withKey(token, 'GET', '/keyed')).status).toBe(200);

    const answer = await report(body);
    expect(answer).toEqual({
      status: 200,
      body: [
        { token_hash: hashOf(token), token_type: 'trapline_api_key', label: 'true_positive' },
        { token_hash: hashOf(forged), token_type: 'trapline_api_key', label: 'false_positive' },
        { token_hash: hashOf('tl_short'), token_type: 'trapline_api_key', label: 'false_positive' },
      ],
    });
    expect((await app.withKey(token, 'GET', '/keyed')).status).toBe(401);
    // A second report matches the key again and has no further effect.
    expect((await report(found(token))).body[0]?.label).toBe('true_positive');
    const entries = await database
      .selectFrom('auditLog')
      .select(['action', 'diff'])
      .where('target', '=', `key:${made.keyId}`)
      .where('action', '=', 'key.leak')
      .execute();
    expect(entries).toMatchObject([{ diff: { url: { after: 'https://example.org/a' }, revoked: { after: true } } }]);
    const mails = await database.selectFrom('jobs').select('payload').where('queue', '=', 'mail').execute();
    expect(mails.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ kind: 'key-leak', key: expect.objectContaining({ keyId: made.keyId, revoked: true }) }),
    );
    expect(JSON.stringify(mails)).not.toContain(token);
  });

  it('loses the rest of an overlap if the previous secret is found; the new one stays', async () => {
    const { body: made } = await asOwner('POST', '/api/user/api-keys', { label: 'rotated', scopes: ['scrapers'] });
    const found = JSON.stringify([{ token: made.apiKey, type: 'trapline_api_key' }]);
    const { body: rotated } = await asOwner('POST', `/api/user/api-keys/${made.keyId}/rotate`, {});
    expect((await app.withKey(made.apiKey, 'GET', '/keyed')).status).toBe(200);
    for (const _ of [1, 2]) {
      expect((await report(found)).body[0]?.label).toBe('true_positive');
      expect((await app.withKey(made.apiKey, 'GET', '/keyed')).status).toBe(401);
      expect((await app.withKey(rotated.apiKey, 'GET', '/keyed')).status).toBe(200);
    }
    const entries = await database.selectFrom('auditLog').select('diff').where('action', '=', 'key.leak').execute();
    expect(entries.filter(({ diff }) => JSON.stringify(diff).includes('overlapEnded'))).toHaveLength(1);
  });

  it('is revoked although it was marked before', async () => {
    const { body: made } = await asOwner('POST', '/api/user/api-keys', { label: 'marked', scopes: ['scrapers'] });
    await database.updateTable('apiKeys').set({ leakedAt: new Date() }).where('keyId', '=', made.keyId).execute();
    expect((await report(JSON.stringify([{ token: made.apiKey, type: 'trapline_api_key' }]))).status).toBe(200);
    expect((await app.withKey(made.apiKey, 'GET', '/keyed')).status).toBe(401);
  });
});
