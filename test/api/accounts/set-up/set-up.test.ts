import { expect, test } from 'vitest';
import { hasNoAdministrator } from '#api/accounts/set-up/set-up.ts';
import { setUpToken } from '#api/accounts/set-up/set-up-token.ts';
import { insertUser } from '#api/accounts/tables/users.ts';
import { AUTH_SECRET, accountSystem, origin, PASSWORD } from '../account-fixture.ts';

const first = { email: 'Ada@Example.org', username: 'ada', password: PASSWORD };

test('a set-up link creates one administrator, who is signed in, also when used concurrently', async () => {
  const { accounts, audited, database, sessions } = await accountSystem();
  const token = setUpToken([AUTH_SECRET], new Date());
  expect(await hasNoAdministrator(database)).toBe(true);
  const refused = { kind: 'refused' };
  expect(await accounts.setUp(setUpToken(['another secret'], new Date()), first, origin())).toEqual(refused);
  expect(await accounts.setUp(token, { ...first, password: 'ada@example.org' }, origin())).toMatchObject({
    kind: 'weak-password',
  });

  const results = await Promise.all(
    Array.from({ length: 10 }, (_value, at) =>
      accounts.setUp(token, { ...first, email: `ada${at}@example.org`, username: `ada${at}` }, origin()),
    ),
  );
  const made = results.flatMap((result) => (result.kind === 'set-up' ? [result] : []));
  expect(made).toHaveLength(1);
  expect(results.filter(({ kind }) => kind === 'refused')).toHaveLength(9);
  const [{ user, opened } = expect.fail()] = made;
  if (opened.kind !== 'session') throw new Error(opened.kind);
  const { session } = opened;
  expect(user).toMatchObject({ role: 'admin', emailVerified: true });
  expect(await sessions.authenticate(session.token)).toMatchObject({ userId: user.id });
  expect(audited.map(({ action, actor }) => [action, actor])).toEqual([
    ['user.set-up', `user:${user.id}`],
    ['session.create', `user:${user.id}`],
  ]);
  expect(await hasNoAdministrator(database)).toBe(false);
  expect(await accounts.setUp(token, first, origin())).toEqual(refused);
});

test('an account that registered before does not use up the set-up link', async () => {
  const { accounts, database } = await accountSystem();
  await insertUser(database, {
    username: 'grace',
    email: 'grace@example.org',
    passwordHash: null,
    emailVerified: true,
  });
  expect(await hasNoAdministrator(database)).toBe(true);

  const token = setUpToken([AUTH_SECRET], new Date());
  const setUp = (wanted: Partial<typeof first>) => accounts.setUp(token, { ...first, ...wanted }, origin());
  expect(await setUp({ username: 'Grace' })).toEqual({ kind: 'taken', field: 'username' });
  expect(await setUp({ email: 'Grace@example.org' })).toEqual({ kind: 'taken', field: 'email' });
  expect(await setUp({})).toMatchObject({ kind: 'set-up', user: { username: 'ada', role: 'admin' } });
  expect(await hasNoAdministrator(database)).toBe(false);
});
