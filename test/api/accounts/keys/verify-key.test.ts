import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { keyText, newKey, newSecret } from '#api/accounts/keys/key-format.ts';
import type { KeyVerifierOptions } from '#api/accounts/keys/verify-key.ts';
import { createHasher } from '#api/accounts/passwords/hasher.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { Channels } from '#api/shared-state/port.ts';
import { openRedisState } from '#test/api/shared-state/redis-state.ts';
import { usePostgres, useRedis } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { DEAF, insertUser, type KeyProcess, startKeyProcess } from './key-fixture.ts';

const { url, database } = await usePostgres();
const shared = createMemorySharedState();
const redis = await useRedis();
const [ofOne, ofOther] = [await openRedisState(redis), await openRedisState(redis)];
const processes: KeyProcess[] = [];
async function start(channels: Channels = shared.channels, options: KeyVerifierOptions = {}): Promise<KeyProcess> {
  const started = await startKeyProcess(url, channels, options);
  processes.push(started);
  return started;
}
afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()));
  await Promise.all([shared.close(), ofOne.close(), ofOther.close()]);
});

const one = await start();
const user = await insertUser(database);

describe('a key', () => {
  it('has owner, role and scopes; it is hashed once, however often it is used', async () => {
    const { apiKey, keyId } = await one.issue({
      userId: user.id,
      label: 'mine',
      scopes: ['scrapers', 'workflows:run'],
    });
    const before = one.hashes.compared;
    const callers = await Promise.all(Array.from({ length: 20 }, () => one.verify(apiKey)));
    for (const caller of [...callers, await one.verify(apiKey)]) {
      expect(caller).toEqual({
        kind: 'key',
        userId: user.id,
        username: user.username,
        role: 'user',
        keyId,
        scopes: ['scrapers', 'workflows:run'],
      });
    }
    expect(one.hashes.compared - before).toBe(1);
  });

  it('is compared again after its time', async () => {
    const forgetful = await start(shared.channels, { remembered: { lifeMs: 0 } });
    const { apiKey } = await one.issue({ userId: user.id, label: 'again' });
    expect(await forgetful.verify(apiKey)).toBeDefined();
    expect(await forgetful.verify(apiKey)).toBeDefined();
    expect(forgetful.hashes.compared).toBe(2);
  });

  it('is compared again if it is the oldest beyond the maximum', async () => {
    const small = await start(shared.channels, { remembered: { maxKeys: 2 }, states: { maxKeys: 2 } });
    const keys = await Promise.all([1, 2, 3].map((n) => one.issue({ userId: user.id, label: `${n}` })));
    for (const { apiKey } of keys) expect(await small.verify(apiKey)).toBeDefined();
    for (const { apiKey } of keys.toReversed()) expect(await small.verify(apiKey)).toBeDefined();
    expect(small.hashes.compared).toBe(4);
  });

  it('hundreds of concurrent requests each get their own caller', async () => {
    const keys = await Promise.all([1, 2, 3, 4].map((n) => one.issue({ userId: user.id, label: `${n}` })));
    const callers = await Promise.all(
      keys.flatMap(({ apiKey }) => Array.from({ length: 50 }, () => one.verify(apiKey))),
    );
    expect(callers.map((caller) => caller?.keyId)).toEqual(keys.flatMap(({ keyId }) => Array(50).fill(keyId)));
  });

  it('writes lastUsedAt in batches, and never sets it back', async () => {
    const { apiKey, keyId } = await one.issue({ userId: user.id, label: 'used' });
    const next = await one.issue({ userId: user.id, label: 'used next' });
    const lastUsedAt = async (of: string) =>
      (await database.selectFrom('apiKeys').where('keyId', '=', of).select('lastUsedAt').executeTakeFirstOrThrow())
        .lastUsedAt;
    expect(await lastUsedAt(keyId)).toBeNull();
    const before = Date.now() - 1_000;
    await one.verify(apiKey);
    const written = await waitFor('the use to be written', () => lastUsedAt(keyId));
    expect(written.getTime()).toBeGreaterThan(before);

    const later = new Date(Date.now() + 60_000);
    await database.updateTable('apiKeys').set({ lastUsedAt: later }).where('keyId', '=', keyId).execute();
    await one.verify(apiKey);
    await one.verify(next.apiKey);
    await waitFor('the next use to be written', () => lastUsedAt(next.keyId));
    expect(await lastUsedAt(keyId)).toEqual(later);
  });

  it('writes the last uses when the process ends', async () => {
    const ending = await startKeyProcess(url, DEAF);
    const { apiKey, keyId } = await ending.issue({ userId: user.id, label: 'ends' });
    await ending.verify(apiKey);
    await ending.close();
    const row = await database.selectFrom('apiKeys').where('keyId', '=', keyId).selectAll().executeTakeFirstOrThrow();
    expect(row.lastUsedAt).not.toBeNull();
  });
});

describe('is rejected', () => {
  it('malformed, without look-up and hash', async () => {
    const before = one.hashes.compared;
    for (const text of ['', 'x', 'tl_000000000000', `${keyText(newKey())}x`, 'operator.x'])
      expect(await one.verify(text)).toBeUndefined();
    expect(one.hashes.compared).toBe(before);
  });

  it('unknown, at the cost of one hash, like a known key with a wrong secret', async () => {
    const { keyId } = await one.issue({ userId: user.id, label: 'known' });
    const before = one.hashes.compared;
    expect(await one.verify(keyText(newKey()))).toBeUndefined();
    expect(await one.verify(keyText({ keyId, secret: newSecret(keyId) }))).toBeUndefined();
    expect(one.hashes.compared - before).toBe(2);
  });

  it('revoked, immediately in the process that revoked it', async () => {
    const { apiKey, keyId } = await one.issue({ userId: user.id, label: 'revoked' });
    expect(await one.verify(apiKey)).toBeDefined();
    expect(await one.revoke(keyId, user.id)).toBe(true);
    expect(await one.verify(apiKey)).toBeUndefined();
    expect(await one.revoke(keyId, user.id)).toBe(true); // the result does not change
    expect(await one.verify(apiKey)).toBeUndefined();
  });

  it('revoked after its verification had begun', async () => {
    const { apiKey, keyId } = await one.issue({ userId: user.id, label: 'while hashing' });
    const verifying = one.verify(apiKey);
    await waitFor('the hash to be computed', () => one.hashes.compared > 0);
    await one.revoke(keyId);
    await verifying;
    expect(await one.verify(apiKey)).toBeUndefined();
  });

  it('from the time of its expiry', async () => {
    const { apiKey, keyId } = await one.issue({
      userId: user.id,
      label: 'expires',
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    expect(await one.verify(apiKey)).toBeDefined();
    await database.updateTable('apiKeys').set({ expiresAt: sql<Date>`now()` }).where('keyId', '=', keyId).execute();
    await waitFor('it to be refused', async () => (await one.verify(apiKey)) === undefined);
  });

  for (const [what, change] of [
    ['is disabled', { disabled: true }],
    ['is past its end date', { endDate: new Date(Date.now() - 1) }],
  ] as const) {
    it(`whose account ${what}, until that is undone`, async () => {
      const owner = await insertUser(database);
      const { apiKey } = await one.issue({ userId: owner.id, label: 'owned' });
      expect(await one.verify(apiKey)).toBeDefined();
      await database.updateTable('users').set(change).where('id', '=', owner.id).execute();
      await one.changes.announce({ userId: owner.id });
      expect(await one.verify(apiKey)).toBeUndefined();
      await database.updateTable('users').set({ disabled: false, endDate: null }).where('id', '=', owner.id).execute();
      await one.changes.announce({ userId: owner.id });
      expect(await one.verify(apiKey)).toBeDefined();
    });
  }

  it('only for what the new role does not permit after a demotion', async () => {
    const owner = await insertUser(database, { role: 'analyst' });
    const { apiKey } = await one.issue({ userId: owner.id, label: 'a', scopes: ['detections:read', 'scrapers'] });
    expect(await one.verify(apiKey)).toMatchObject({ role: 'analyst', scopes: ['scrapers', 'detections:read'] });
    await database.updateTable('users').set({ role: 'user' }).where('id', '=', owner.id).execute();
    await one.changes.announce({ userId: owner.id });
    expect(await one.verify(apiKey)).toMatchObject({ role: 'user', scopes: ['scrapers'] });
    await database.updateTable('users').set({ role: 'admin' }).where('id', '=', owner.id).execute();
    await one.changes.announce({ userId: owner.id });
    expect(await one.verify(apiKey)).toMatchObject({ role: 'admin', scopes: ['scrapers', 'detections:read'] });
  });
});

describe('a recently verified key', () => {
  it('is known synchronously until it is revoked, and only by its whole text', async () => {
    const { apiKey, keyId } = await one.issue({ userId: user.id, label: 'known' });
    expect(one.known(apiKey)).toBeUndefined();
    const caller = await one.verify(apiKey);
    // The cached state may have expired, so that it is read again.
    await waitFor(
      'it to be known',
      async () => (await one.verify(apiKey)) !== undefined && one.known(apiKey) === caller,
    );
    expect(one.known(`${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`)).toBeUndefined();
    expect(one.known(apiKey.repeat(9))).toBeUndefined();
    await one.revoke(keyId);
    expect(one.known(apiKey)).toBeUndefined();
  });
});

describe('revocation applies to every process', () => {
  for (const [how, own, its] of [
    ['is notified through Redis', ofOne.channels, ofOther.channels],
    ['is notified in memory', shared.channels, shared.channels],
    ['is not notified, because Redis is unavailable', DEAF, DEAF],
  ] as const) {
    it(`including one that ${how}, under steady use`, async () => {
      const [one, other] = await Promise.all([start(own), start(its)]);
      const { apiKey, keyId } = await one.issue({ userId: user.id, label: 'shared' });
      expect(await other.verify(apiKey)).toBeDefined();
      await other.verify(apiKey);
      await one.revoke(keyId);
      await waitFor('it to be refused', async () => (await other.verify(apiKey)) === undefined, { everyMs: 1 });
      // The key stays rejected.
      for (let n = 0; n < 20; n += 1) expect(await other.verify(apiKey)).toBeUndefined();
    });
  }
});

describe('many unknown keys at once', () => {
  it('are all compared while the event loop stays free', async () => {
    const cold = await start();
    const hasher = createHasher({ threads: 1 });
    const secretHash = await hasher.hash('another secret: comparing costs the same');
    await hasher.close();
    const keys = Array.from({ length: 16 }, newKey);
    const common = { userId: user.id, secretHash, label: 'cold', scopes: ['scrapers'], expiresAt: null };
    await database
      .insertInto('apiKeys')
      .values(keys.map(({ keyId }) => ({ keyId, ...common })))
      .execute();
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    const answers = await Promise.all(keys.map((key) => cold.verify(keyText(key))));
    clearInterval(others);
    expect(answers.every((answer) => answer === undefined)).toBe(true);
    expect(cold.hashes.compared).toBe(16);
    expect(turns).toBeGreaterThan(16); // comparisons on this thread would block the event loop between them
  });
});

describe('PostgreSQL unavailable', () => {
  it('is reported as unavailable and not as a wrong key, also for a recently verified key', async () => {
    const { apiKey } = await one.issue({ userId: user.id, label: 'away' });
    const away = await startKeyProcess('postgres://unknown@127.0.0.1:1/none', DEAF);
    expect(await away.verify('no key')).toBeUndefined();
    const refused = await away.verify(apiKey).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(refused)).toBe(true);
    away.lastUsed.note('tl_000000000000');
    await waitFor('the failed write to be reported', () => away.failures.length > 0);
    await away.close();
  });
});
