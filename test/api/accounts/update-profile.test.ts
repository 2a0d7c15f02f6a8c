import { expect, test } from 'vitest';
import { deleteExpired } from '#api/accounts/retention.ts';
import { accountSystem, origin } from './account-fixture.ts';

const system = await accountSystem();
const { accounts, sessions, database } = system;

async function caller(name: string) {
  const user = await system.addUser(name);
  const { token } = await sessions.open(database, user, origin());
  const session = await sessions.authenticate(token);
  if (session === undefined) throw new Error('no session');
  return session;
}

test('name and picture change, and the changes are audited', async () => {
  const ada = await caller('ada');
  const image = 'https://example.org/ada.png';
  expect(await accounts.updateProfile(ada, { username: 'Ada', image }, origin())).toMatchObject({
    kind: 'updated',
    user: { id: ada.userId, username: 'Ada', image },
  });
  expect(await accounts.updateProfile(ada, { image: null }, origin())).toMatchObject({ user: { image: null } });
  expect(await accounts.updateProfile(ada, { image: null }, origin())).toMatchObject({ kind: 'updated' });
  expect(await accounts.updateProfile(ada, {}, origin())).toMatchObject({ kind: 'updated' });
  expect(system.audited.filter(({ action }) => action === 'user.update').map(({ diff }) => diff)).toEqual([
    { username: { before: 'ada', after: 'Ada' }, image: { before: null, after: image } },
    { image: { before: image, after: null } },
  ]);
});

test('rejects a taken username regardless of case', async () => {
  const bob = await caller('bob');
  await system.addUser('carol');
  expect(await accounts.updateProfile(bob, { username: 'CAROL' }, origin())).toEqual({ kind: 'username-taken' });
});

test('a former name of an account is reserved for that account', async () => {
  const bob = await caller('former-bob');
  const carol = await caller('former-carol');
  const rename = (who: typeof bob, username: string) => accounts.updateProfile(who, { username }, origin());
  expect(await rename(bob, 'robert')).toMatchObject({ kind: 'updated' });
  expect(await rename(carol, 'Former-Bob')).toEqual({ kind: 'username-taken' });
  await expect(system.addUser('former-bob')).rejects.toThrow('another account had this name');
  expect(await rename(bob, 'former-bob')).toMatchObject({ kind: 'updated' });
  expect(await rename(carol, 'robert')).toEqual({ kind: 'username-taken' });
});

test('rejects a reserved name like a taken one, but an account that has one keeps it', async () => {
  const ida = await caller('ida');
  expect(await accounts.updateProfile(ida, { username: 'Operator' }, origin())).toEqual({ kind: 'username-taken' });
  expect((await system.user('ida@example.org')).username).toBe('ida');
  const given = await caller('admin');
  expect(await accounts.updateProfile(given, { username: 'Admin', image: null }, origin())).toMatchObject({
    user: { username: 'Admin' },
  });
});

test('the retention deletes expired data, and nothing else', async () => {
  await caller('dora');
  await system.codeFor('unrelated@example.org');
  await system.resetTokenFor('dora@example.org');
  expect(await deleteExpired(database)).toEqual({
    sessions: 0,
    codes: 0,
    logoutTokens: 0,
    resetTokens: 0,
    emailChanges: 0,
    pendingSignIns: 0,
    passkeyChallenges: 0,
    samlAssertions: 0,
    keyUsage: 0,
  });
  const past = { expiresAt: new Date(Date.now() - 1000) };
  await database.updateTable('sessions').set(past).execute();
  await database.updateTable('oneTimeCodes').set(past).execute();
  await database.updateTable('resetTokens').set(past).execute();
  expect(await deleteExpired(database)).toMatchObject({ codes: 1, resetTokens: 1 });
});
