import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { insertUser } from '../../keys/key-fixture.ts';
import { runAdminApp } from './admin-app.ts';

const { url, database } = await usePostgres();
const app = await runAdminApp(url);
afterAll(() => app.end());

const USERS = '/api/admin/users';
const admin = () => insertUser(database, { role: 'admin' });
const read = (id: string) => database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const set = (id: string, fields: Record<string, unknown>) =>
  database.updateTable('users').set(fields).where('id', '=', id).execute();
const entriesOf = (id: string) =>
  database.selectFrom('auditLog').selectAll().where('target', '=', `user:${id}`).orderBy('id').execute();

beforeEach(async () => {
  app.said.length = 0;
  await database.deleteFrom('users').execute();
});

describe('GET /api/admin/users', () => {
  it('searches, filters and pages', async () => {
    const users = [await admin(), await insertUser(database), await insertUser(database, { role: 'analyst' })];
    const [first, second, third] = users.map(({ id }) => id) as [string, string, string];
    // Three users created in the same millisecond would be ordered by their random ids.
    for (const [index, id] of [first, second, third].entries()) await set(id, { createdAt: new Date(1e12 + index) });
    await set(second, { username: 'Under_score', email: 'under@example.org', disabled: true });
    const ids = async (query: string) => {
      const { status, body } = await app.asOperator('GET', `${USERS}?${query}`);
      expect(status).toBe(200);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await ids('')).toEqual([first, second, third]);
    expect(await ids('q=UNDER@')).toEqual([second]);
    expect(await ids('q=r_s')).toEqual([second]);
    expect(await ids('q=_')).toEqual(
      [first, second, third].filter((_, index) => users[index]?.username.includes('_') || index === 1),
    );
    expect(await ids('q=%25')).toEqual([]);
    expect(await ids('role=analyst')).toEqual([third]);
    expect(await ids('disabled=true')).toEqual([second]);
    expect(await ids('disabled=false&role=admin')).toEqual([first]);
    const { body } = await app.asOperator('GET', `${USERS}?limit=1&offset=1`);
    expect(body).toMatchObject({
      data: [{ id: second, disabled: true, endDate: null }],
      total: 3,
      limit: 1,
      offset: 1,
    });
    expect(JSON.stringify(body)).not.toMatch(/hash/i);
    for (const wrong of [
      'limit=0',
      'limit=101',
      'limit=1e1',
      'offset=-1',
      'role=root',
      'disabled=1',
      'page=2',
      'q=a&q=b',
    ])
      expect((await app.asOperator('GET', `${USERS}?${wrong}`)).status, wrong).toBe(400);
  });
});

describe('PATCH /api/admin/users/:id', () => {
  it('changes role, state and expiry immediately, notifies every process, and records the previous values', async () => {
    const by = await admin();
    const as = await app.signIn(by);
    const user = await insertUser(database);
    const theirs = await app.signIn(user);
    const changed = await as('PATCH', `${USERS}/${user.id}`, { role: 'admin' });
    expect(changed).toMatchObject({ status: 200, body: { id: user.id, role: 'admin' } });
    expect((await theirs('GET', USERS)).status).toBe(200);
    expect(app.said).toContain(`roles.changed {"userId":"${user.id}"}`);

    const end = '2020-01-01T00:00:00.000Z';
    expect((await as('PATCH', `${USERS}/${user.id}`, { role: 'user', endDate: end })).body).toMatchObject({
      endDate: end,
    });
    expect((await theirs('GET', USERS)).status).toBe(401);
    expect(app.said).toContain(`sessions.ended {"userId":"${user.id}"}`);
    expect(await database.selectFrom('sessions').selectAll().where('userId', '=', user.id).execute()).toEqual([]);
    expect((await entriesOf(user.id)).map(({ actor, action, diff }) => ({ actor, action, diff }))).toEqual([
      { actor: `user:${by.id}`, action: 'user.update', diff: { role: { before: 'user', after: 'admin' } } },
      {
        actor: `user:${by.id}`,
        action: 'user.update',
        diff: { role: { before: 'admin', after: 'user' }, endDate: { before: null, after: end } },
      },
    ]);
  });

  it('records nothing without a change, and accepts no other field', async () => {
    const user = await insertUser(database);
    expect((await app.asOperator('PATCH', `${USERS}/${user.id}`, { role: 'user', disabled: false })).status).toBe(200);
    expect(await entriesOf(user.id)).toEqual([]);
    for (const wrong of [
      { email: 'a@example.org' },
      { role: 'root' },
      { disabled: 'yes' },
      { endDate: 'tomorrow' },
      { endDate: '9999-12-31T23:59:59-12:00' }, // the year 10000 in UTC
      [],
    ])
      expect((await app.asOperator('PATCH', `${USERS}/${user.id}`, wrong)).status).toBe(400);
    expect((await app.asOperator('PATCH', `${USERS}/6f1a5b0e-58c1-4f0e-9d58-0f2c7d1f6a11`, {})).status).toBe(404);
    for (const [method, path] of [
      ['GET', USERS],
      ['PATCH', USERS],
      ['PATCH', '/api/detections'],
    ] as const) {
      const refused = await app.asOperator(method, `${path}/no-id`, method === 'PATCH' ? {} : undefined);
      expect(refused, `${method} ${path}`).toMatchObject({
        status: 404,
        body: { issues: [{ code: 'not_found' }] },
      });
    }
  });

  it('rejects changes of the own role, and disabling or expiring the own account', async () => {
    await admin();
    const self = await admin();
    const as = await app.signIn(self);
    for (const change of [{ role: 'user' }, { disabled: true }, { endDate: '2040-01-01T00:00:00Z' }])
      expect((await as('PATCH', `${USERS}/${self.id}`, change)).status).toBe(403);
    expect((await as('POST', `${USERS}/${self.id}/disable`)).status).toBe(403);
    expect((await as('PATCH', `${USERS}/${self.id}`, { role: 'admin', disabled: false })).status).toBe(200);
    expect(await read(self.id)).toMatchObject({ role: 'admin', disabled: false, endDate: null });
  });

  it('keeps one administrator, also when two are removed concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      await database.deleteFrom('users').execute();
      const both = [await admin(), await admin()];
      await insertUser(database, { role: 'analyst' });
      const changes = [{ role: 'user' }, { disabled: true }, { endDate: '2020-01-01T00:00:00Z' }];
      const answers = await Promise.all(
        both.map(({ id }, index) => app.asOperator('PATCH', `${USERS}/${id}`, changes[(round + index) % 3])),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('does not count an administrator with an expiry', async () => {
    const [lasting, ending] = [await admin(), await admin()];
    const change = (id: string, wanted: object) => app.asOperator('PATCH', `${USERS}/${id}`, wanted);
    expect((await change(ending.id, { endDate: '2040-01-01T00:00:00Z' })).status).toBe(200);
    expect((await change(lasting.id, { role: 'user' })).status).toBe(409);
    expect((await change(lasting.id, { endDate: '2040-01-01T00:00:00Z' })).status).toBe(409);
    expect((await change(ending.id, { endDate: '2039-01-01T00:00:00Z' })).status).toBe(200);
    expect((await change(ending.id, { disabled: true })).status).toBe(200);
    expect(await entriesOf(lasting.id)).toEqual([]);
  });
});

describe('two concurrent administrators', () => {
  it('do not overwrite each other: a change based on an old version is rejected without effect', async () => {
    const { id } = await insertUser(database);
    const { etag } = await app.asOperator('GET', `${USERS}/${id}`);
    const ifMatch = { 'if-match': String(etag) };
    const answers = await Promise.all(
      ['analyst', 'admin'].map((role) => app.asOperator('PATCH', `${USERS}/${id}`, { role }, ifMatch)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const done = answers.find(({ status }) => status === 200);
    expect(answers.find(({ status }) => status === 412)?.body.issues).toMatchObject([{ field: 'if-match' }]);
    expect((await app.asOperator('POST', `${USERS}/${id}/disable`, undefined, ifMatch)).status).toBe(412);
    expect(await read(id)).toMatchObject({ role: done?.body.role, disabled: false });
    expect(await entriesOf(id)).toHaveLength(1);
    const now = await app.asOperator('GET', `${USERS}/${id}`);
    expect(now.etag).toBe(done?.etag);
    expect(now.etag).not.toBe(etag);
  });

  it('are not blocked by changes of the account itself', async () => {
    const { id } = await insertUser(database);
    const { etag } = await app.asOperator('GET', `${USERS}/${id}`);
    await set(id, { image: 'https://example.org/me.png', failedLoginAttempts: 1, updatedAt: new Date() });
    const ifMatch = { 'if-match': String(etag) };
    expect((await app.asOperator('PATCH', `${USERS}/${id}`, { role: 'analyst' }, ifMatch)).status).toBe(200);
  });
});

describe('POST /api/admin/users/:id/disable and /enable', () => {
  it('end all sessions and keys, and restore an account without its lockout', async () => {
    const user = await insertUser(database);
    const theirs = await app.signIn(user);
    const { apiKey } = await app.keys.issue({ userId: user.id, label: 'theirs' });
    expect(await app.keys.verify(apiKey)).toBeDefined();
    await set(user.id, { failedLoginAttempts: 5, lockUntil: new Date(Date.now() + 900_000) });
    expect((await app.asOperator('POST', `${USERS}/${user.id}/disable`)).body).toMatchObject({ disabled: true });
    expect((await theirs('GET', USERS)).status).toBe(401);
    expect(await app.keys.verify(apiKey)).toBeUndefined();
    expect(app.said).toContain(`sessions.ended {"userId":"${user.id}"}`);
    const enabled = await app.asOperator('POST', `${USERS}/${user.id}/enable`);
    expect(enabled).toMatchObject({ status: 200, body: { disabled: false, failedLoginAttempts: 0, lockUntil: null } });
    expect((await entriesOf(user.id)).map(({ action }) => action)).toEqual(['user.disable', 'user.enable']);
    expect((await entriesOf(user.id))[1]?.diff).toMatchObject({
      disabled: { before: true, after: false },
      failedLoginAttempts: { before: 5, after: 0 },
    });
    expect((await app.asOperator('POST', `${USERS}/6f1a5b0e-58c1-4f0e-9d58-0f2c7d1f6a11/disable`)).status).toBe(404);
  });
});

describe('DELETE /api/admin/users/:id/api-keys/:keyId', () => {
  it('revokes a key of that user only', async () => {
    const [user, other] = [await insertUser(database), await insertUser(database)];
    const { apiKey, keyId } = await app.keys.issue({ userId: user.id, label: 'theirs' });
    expect((await app.asOperator('GET', `${USERS}/${user.id}`)).body).toMatchObject({ id: user.id, activeKeys: 1 });
    expect((await app.asOperator('DELETE', `${USERS}/${other.id}/api-keys/${keyId}`)).status).toBe(404);
    expect(await app.keys.verify(apiKey)).toBeDefined();
    expect((await app.asOperator('DELETE', `${USERS}/${user.id}/api-keys/${keyId}`)).status).toBe(204);
    expect(await app.keys.verify(apiKey)).toBeUndefined();
    expect((await app.asOperator('GET', `${USERS}/${user.id}`)).body).toMatchObject({ activeKeys: 0 });
  });
});

describe('the access rights', () => {
  it('admit administrators with a session and the operator, not other callers or keys of administrators', async () => {
    const someone = await admin();
    const { apiKey } = await app.keys.issue({ userId: someone.id, label: 'all' });
    const [user, analyst] = [
      await app.signIn(await insertUser(database)),
      await app.signIn(await insertUser(database, { role: 'analyst' })),
    ];
    for (const [method, path] of [
      ['GET', USERS],
      ['GET', `${USERS}/${someone.id}`],
      ['PATCH', `${USERS}/${someone.id}`],
      ['POST', `${USERS}/${someone.id}/disable`],
      ['POST', `${USERS}/${someone.id}/enable`],
      ['DELETE', `${USERS}/${someone.id}/api-keys/tl_000000000000`],
      ['GET', '/api/admin/audit-log'],
      ['GET', '/api/admin/audit-log/verify'],
    ] as const) {
      expect((await user(method, path)).status, path).toBe(403);
      expect((await analyst(method, path)).status, path).toBe(403);
      expect((await app.withKey(apiKey, method, path)).status, path).toBe(401);
      expect((await app.withKey('tl_none', method, path)).status, path).toBe(401);
    }
  });
});

describe('POST /api/admin/users/:id/password-link/send', () => {
  it('queues the mail, shows no link, and rejects more than five an hour for one address', async () => {
    const user = await insertUser(database);
    const path = `${USERS}/${user.id}/password-link/send`;
    expect((await app.asOperator('GET', `${USERS}/${user.id}`)).body).toMatchObject({ canSendPasswordLink: true });
    for (let sent = 0; sent < 5; sent += 1)
      expect(await app.asOperator('POST', path)).toMatchObject({ status: 202, body: { email: user.email } });
    expect((await app.asOperator('POST', path)).status).toBe(429);
    expect(await entriesOf(user.id)).toHaveLength(5);
  });

  it('rejects accounts that do not exist or are disabled', async () => {
    const user = await insertUser(database);
    await set(user.id, { disabled: true });
    expect((await app.asOperator('POST', `${USERS}/${user.id}/password-link/send`)).status).toBe(409);
    expect((await app.asOperator('POST', `${USERS}/${randomUUID()}/password-link/send`)).status).toBe(404);
  });
});

describe('DELETE /api/admin/users/:id/second-factor', () => {
  it('removes all factors, ends the sessions, records and mails it, except for the own account', async () => {
    const by = await admin();
    const user = await insertUser(database);
    const theirs = await app.signIn(user);
    for (const { id } of [by, user]) {
      await database
        .insertInto('totpSecrets')
        .values({ userId: id, secret: Buffer.from('s'), confirmedAt: new Date() })
        .execute();
      await database
        .insertInto('recoveryCodes')
        .values({ userId: id, codeHash: Buffer.from('h') })
        .execute();
    }
    const as = await app.signIn(by);
    const path = `${USERS}/${user.id}/second-factor`;
    expect((await as('GET', path)).body).toEqual({ totp: true, passkeys: 0, recoveryCodesLeft: 1 });
    expect((await theirs('DELETE', path)).status).toBe(403);
    expect((await as('DELETE', path)).status).toBe(204);
    expect((await as('GET', path)).body).toEqual({ totp: false, passkeys: 0, recoveryCodesLeft: 0 });
    expect((await theirs('GET', USERS)).status).toBe(401);
    expect(app.said).toContain(`sessions.ended {"userId":"${user.id}"}`);
    expect(await entriesOf(user.id)).toMatchObject([
      { action: 'second-factor.reset', actor: `user:${by.id}`, diff: { totp: { before: true, after: false } } },
    ]);
    const mails = await database.selectFrom('jobs').select('payload').where('queue', '=', 'mail').execute();
    expect(mails).toContainEqual({
      payload: expect.objectContaining({ kind: 'second-factor', change: 'reset', userId: user.id }),
    });

    // Removing own factors needs a confirmation. The operator removes those of the last administrator.
    expect((await as('DELETE', `${USERS}/${by.id}/second-factor`)).status).toBe(403);
    expect((await app.asOperator('DELETE', `${USERS}/${by.id}/second-factor`)).status).toBe(204);
    expect((await app.asOperator('DELETE', `${USERS}/${randomUUID()}/second-factor`)).status).toBe(404);
  });
});
