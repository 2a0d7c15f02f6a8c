import { afterAll, describe, expect, it } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { runKeyedApp } from '../../../keyed-app.ts';
import { OPERATOR_KEY } from '../../../running-app.ts';
import { insertUser } from '../../keys/key-fixture.ts';

const { url, database } = await usePostgres();
const app = await runKeyedApp(url);
afterAll(() => app.end());
const asOperator = (method: string, path: string, body?: unknown) => app.withKey(OPERATOR_KEY, method, path, body);
const entriesOf = (target: string) =>
  database.selectFrom('auditLog').where('target', '=', target).orderBy('id').selectAll().execute();

describe('the operator key', () => {
  it('creates an account and a key, recorded as the operator', async () => {
    const made = await asOperator('POST', '/api/admin/users', {
      email: 'Ada@Example.org',
      username: 'ada',
      role: 'analyst',
    });
    expect(made).toMatchObject({
      status: 201,
      body: { email: 'ada@example.org', username: 'ada', role: 'analyst', emailVerified: false, image: null },
    });
    const key = await asOperator('POST', `/api/admin/users/${made.body.id}/api-keys`, { label: 'first' });
    expect(key).toMatchObject({ status: 201, body: { label: 'first' } });
    expect((await app.withKey(key.body.apiKey, 'GET', '/keyed')).body.caller).toMatchObject({ role: 'analyst' });
    expect(await entriesOf(`user:${made.body.id}`)).toMatchObject([{ actor: 'operator', action: 'user.create' }]);
    expect(await entriesOf(`key:${key.body.keyId}`)).toMatchObject([
      { actor: 'operator', action: 'key.create', diff: { owner: { after: `user:${made.body.id}` } } },
    ]);
    expect((await asOperator('GET', `/api/admin/users/${made.body.id}/api-keys`)).body.data).toMatchObject([
      { keyId: key.body.keyId, revoked: false },
    ]);
    expect((await asOperator('DELETE', `/api/admin/api-keys/${key.body.keyId}`)).status).toBe(204);
    expect((await app.withKey(key.body.apiKey, 'GET', '/keyed')).status).toBe(401);
    const owner = `user:${made.body.id}`;
    expect((await entriesOf(`key:${key.body.keyId}`)).at(-1)).toMatchObject({
      actor: 'operator',
      action: 'key.revoke',
      diff: {
        owner: { before: owner, after: owner },
        label: { after: 'first' },
        revoked: { before: false, after: true },
      },
    });
    expect((await asOperator('DELETE', '/api/admin/api-keys/tl_000000000000')).status).toBe(404);
  });

  it('does not match another key with the same beginning, or a longer one', async () => {
    for (const key of [`${OPERATOR_KEY}k`, OPERATOR_KEY.slice(0, -1), `operator.${'x'.repeat(43)}`, 'operator'])
      expect((await app.withKey(key, 'GET', '/keyed')).status).toBe(401);
    expect((await app.withKey(OPERATOR_KEY, 'GET', '/keyed')).body.caller).toEqual({
      kind: 'operator',
      role: 'admin',
      keyId: 'operator',
    });
  });
});

describe('POST /api/admin/users', () => {
  it('reports taken names, rejects invalid fields and common passwords', async () => {
    await asOperator('POST', '/api/admin/users', { email: 'bob@example.org', username: 'bob' });
    for (const [body, status, field] of [
      [{ email: 'BOB@example.org', username: 'bobby' }, 409, 'email'],
      [{ email: 'bobby@example.org', username: 'BOB' }, 409, 'username'],
      [{ email: 'bobby', username: 'bobby' }, 400, 'email'],
      [{ email: 'bobby@example.org', username: 'b' }, 400, 'username'],
      [{ email: 'bobby@example.org', username: 'bobby', role: 'root' }, 400, 'role'],
      [{ email: 'bobby@example.org', username: 'bobby', password: 'short' }, 400, 'password'],
      [{ email: 'bobby@example.org', username: 'bobby', password: 'password1234' }, 400, 'password'],
      [{ email: 'bobby@example.org', username: 'bobby', passwordHash: 'x' }, 400, 'passwordHash'],
    ] as const) {
      const refused = await asOperator('POST', '/api/admin/users', body);
      expect([refused.status, refused.body.issues[0].field]).toEqual([status, field]);
    }
  });

  it('stores only the hash of a password', async () => {
    const password = 'otter-lamp-quarry-77';
    const { body } = await asOperator('POST', '/api/admin/users', {
      email: 'eve@example.org',
      username: 'eve',
      password,
      emailVerified: true,
    });
    const row = await database.selectFrom('users').where('id', '=', body.id).selectAll().executeTakeFirstOrThrow();
    expect(row.passwordHash).toMatch(/^\$2b\$10\$/);
    expect(row).toMatchObject({ emailVerified: true, role: 'user', disabled: false });
    expect(JSON.stringify([body, row, await entriesOf(`user:${body.id}`)])).not.toContain(password);
  });
});

describe('administration is for administrators', () => {
  it('each route rejects users, analysts and all keys except the operator’s', async () => {
    const admin = await insertUser(database, { role: 'admin' });
    const user = await insertUser(database);
    const routes = [
      ['POST', '/api/admin/users', { email: 'x@example.org', username: 'xxx' }],
      ['GET', `/api/admin/users/${user.id}/api-keys`, undefined],
      ['POST', `/api/admin/users/${user.id}/api-keys`, { label: 'x' }],
      ['DELETE', '/api/admin/api-keys/tl_000000000000', undefined],
    ] as const;
    const adminKey = await app.keys.issue({ userId: admin.id, label: 'of an administrator' });
    for (const [method, path, body] of routes) {
      for (const role of ['user', 'analyst'] as const) {
        const call = await app.signIn(await insertUser(database, { role }));
        expect((await call(method, path, body)).status).toBe(403);
      }
      expect((await app.withKey(adminKey.apiKey, method, path, body)).status).toBe(401);
    }
    const asAdmin = await app.signIn(admin);
    expect(await asAdmin('POST', `/api/admin/users/${user.id}/api-keys`, { label: 'x' })).toMatchObject({
      status: 201,
    });
    expect((await asAdmin('POST', `/api/admin/users/${crypto.randomUUID()}/api-keys`, { label: 'x' })).status).toBe(
      404,
    );
    expect((await asAdmin('POST', '/api/admin/users/none/api-keys', { label: 'x' })).status).toBe(404);
  });
});
