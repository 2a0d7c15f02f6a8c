import { afterAll, describe, expect, it } from 'vitest';
import { MAX_ACTIVE_KEYS } from '#api/accounts/keys/create-key.ts';
import { newKey, parseKey } from '#api/accounts/keys/key-format.ts';
import { listApiKeys } from '#api/accounts/tables/api-keys.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { SCOPE_NAMES, scopesOfRole } from '#schemas/api/roles.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { DEAF, insertUser, startKeyProcess } from './key-fixture.ts';

const { url, database } = await usePostgres();
const keys = await startKeyProcess(url, DEAF);
afterAll(() => keys.close());
const auditOf = (keyId: string) =>
  database.selectFrom('auditLog').where('target', '=', `key:${keyId}`).orderBy('id').selectAll().execute();

describe('creating a key', () => {
  it('stores a bcrypt hash of the secret, and the secret nowhere', async () => {
    const user = await insertUser(database);
    const { apiKey, keyId } = await keys.issue({ userId: user.id, label: 'laptop' });
    const parts = parseKey(apiKey);
    expect(parts?.keyId).toBe(keyId);
    const row = await database.selectFrom('apiKeys').where('keyId', '=', keyId).selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ userId: user.id, label: 'laptop', revokedAt: null, expiresAt: null, lastUsedAt: null });
    expect(row.secretHash).toMatch(/^\$2b\$\d\d\$[./0-9A-Za-z]{53}$/);
    expect(JSON.stringify([row, await auditOf(keyId)])).not.toContain(parts?.secret);
  });

  it('grants all scopes of the role of the owner by default', async () => {
    for (const role of ['user', 'analyst', 'admin'] as const) {
      const user = await insertUser(database, { role });
      expect((await keys.issue({ userId: user.id, label: 'all' })).scopes).toEqual(scopesOfRole(role));
      expect((await keys.issue({ userId: user.id, label: 'one', scopes: ['scrapers'] })).scopes).toEqual(['scrapers']);
      expect((await keys.issue({ userId: user.id, label: 'none', scopes: [] })).scopes).toEqual([]);
    }
  });

  it('rejects scopes beyond the role, a past expiry and an unknown owner, and stores nothing', async () => {
    const user = await insertUser(database);
    for (const scope of SCOPE_NAMES.filter((name) => !scopesOfRole('user').includes(name)))
      await expect(keys.issue({ userId: user.id, label: 'x', scopes: ['scrapers', scope] })).rejects.toMatchObject({
        code: 'invalid_value',
        issues: [{ field: 'scopes' }],
      });
    await expect(
      keys.issue({ userId: user.id, label: 'x', expiresAt: new Date(Date.now() - 1_000) }),
    ).rejects.toMatchObject({ issues: [{ field: 'expiresAt' }] });
    await expect(keys.issue({ userId: crypto.randomUUID(), label: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await listApiKeys(database, user.id)).toEqual([]);
  });

  it(`rejects more than ${MAX_ACTIVE_KEYS} active keys; revoked and expired ones do not count`, async () => {
    const user = await insertUser(database);
    const rows = Array.from({ length: MAX_ACTIVE_KEYS }, () => ({
      keyId: newKey().keyId,
      userId: user.id,
      secretHash: '',
      label: 'many',
      scopes: [],
      expiresAt: null,
    }));
    await database.insertInto('apiKeys').values(rows).execute();
    await expect(keys.issue({ userId: user.id, label: 'x' })).rejects.toMatchObject({ code: 'conflict' });
    await keys.revoke(rows[0]?.keyId ?? '');
    expect(await keys.issue({ userId: user.id, label: 'x' })).toBeDefined();
  });

  it('writes the audit entry in the same transaction', async () => {
    const user = await insertUser(database);
    const { keyId } = await keys.issue({ userId: user.id, label: 'audited', scopes: ['scrapers'] });
    expect(await auditOf(keyId)).toMatchObject([
      {
        actor: `user:${user.id}`,
        action: 'key.create',
        ip: '192.0.2.7',
        userAgent: 'test',
        requestId: 'request-1',
        diff: { label: { after: 'audited' }, scopes: { after: ['scrapers'] }, expiresAt: { after: null } },
      },
    ]);
    await expect(
      inTransaction(database, async (transaction) => {
        await keys.createKey(transaction, { userId: user.id, label: 'rolled back' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await listApiKeys(database, user.id)).map(({ label }) => label)).toEqual(['audited']);
  });

  it('of an owner who is demoted concurrently grants no more than one of the two roles', async () => {
    const user = await insertUser(database, { role: 'admin' });
    const [created] = await Promise.all([
      keys.issue({ userId: user.id, label: 'race' }),
      database.updateTable('users').set({ role: 'user' }).where('id', '=', user.id).execute(),
    ]);
    expect([scopesOfRole('admin'), scopesOfRole('user')]).toContainEqual(created.scopes);
    expect((await keys.verify(created.apiKey))?.scopes).toEqual(scopesOfRole('user'));
  });
});

describe('revoking a key', () => {
  it('is permitted to the owner and to users who may revoke all keys, and recorded once', async () => {
    const [owner, other] = [await insertUser(database), await insertUser(database)];
    const { keyId } = await keys.issue({ userId: owner.id, label: 'mine' });
    expect(await keys.revoke(keyId, other.id)).toBe(false);
    expect(await keys.revoke(newKey().keyId, owner.id)).toBe(false);
    expect((await listApiKeys(database, owner.id))[0]?.revokedAt).toBeNull();
    expect(await Promise.all([keys.revoke(keyId, owner.id), keys.revoke(keyId)])).toEqual([true, true]);
    expect((await listApiKeys(database, owner.id))[0]?.revokedAt).toBeInstanceOf(Date);
    expect((await auditOf(keyId)).map(({ action }) => action)).toEqual(['key.create', 'key.revoke']);
  });

  it('leaves the other keys of the user active', async () => {
    const user = await insertUser(database);
    const [one, two] = [
      await keys.issue({ userId: user.id, label: '1' }),
      await keys.issue({ userId: user.id, label: '2' }),
    ];
    await keys.revoke(one.keyId, user.id);
    expect(await keys.verify(one.apiKey)).toBeUndefined();
    expect(await keys.verify(two.apiKey)).toBeDefined();
  });
});
