import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { accountSystem, origin, PASSWORD } from '../account-fixture.ts';

const NEXT = 'quartz-ladder-moss-12';
const system = await accountSystem();
const { database, accounts, sessions } = system;

/** A user and the session of the current request. */
async function signedIn(name: string) {
  const user = await system.addUser(name);
  const result = await accounts.signIn(user.email, PASSWORD, origin());
  if (result.kind !== 'signed-in') throw new Error(`${name} is not signed in: ${result.kind}`);
  const caller = await sessions.authenticate(result.session.token);
  if (caller === undefined) throw new Error(`the session of ${name} is refused`);
  return { user, caller, token: result.session.token };
}

test('a new password replaces the old one, ends the other sessions and is audited', async () => {
  const { user, caller, token } = await signedIn('ada');
  const { token: other } = await sessions.open(database, user, origin());
  expect(await accounts.changePassword(caller, { current: PASSWORD, next: NEXT }, origin())).toEqual({
    kind: 'changed',
    sessionsEnded: 1,
  });
  expect(await sessions.authenticate(token)).toMatchObject({ userId: user.id });
  expect(await sessions.authenticate(other)).toBeUndefined();
  expect(await accounts.signIn(user.email, PASSWORD, origin())).toEqual({ kind: 'refused' });
  expect(await accounts.signIn(user.email, NEXT, origin())).toMatchObject({ kind: 'signed-in' });
  const entry = system.audited.find(({ action }) => action === 'password.change');
  expect(entry).toMatchObject({ actor: `user:${user.id}`, target: `user:${user.id}` });
  expect(JSON.stringify(entry)).not.toContain(NEXT);
});

test('wrong current passwords lock the account, also for the right one', async () => {
  const { user, caller } = await signedIn('stolen');
  for (let failure = 0; failure < 5; failure += 1)
    expect(await accounts.changePassword(caller, { current: 'a wrong guess', next: NEXT }, origin())).toEqual({
      kind: 'refused',
    });
  expect(await accounts.changePassword(caller, { current: PASSWORD, next: NEXT }, origin())).toEqual({
    kind: 'refused',
  });
  await system.background.settled();
  expect(await system.user(user.email)).toMatchObject({ passwordHash: user.passwordHash });
  expect(system.audited.filter(({ action }) => action === 'user.lock')).toHaveLength(1);
});

test('success resets the failed attempts', async () => {
  const { user, caller } = await signedIn('clumsy');
  await accounts.changePassword(caller, { current: 'a wrong guess', next: NEXT }, origin());
  await accounts.changePassword(caller, { current: PASSWORD, next: NEXT }, origin());
  expect(await system.user(user.email)).toMatchObject({ failedLoginAttempts: 0, lockUntil: null });
});

test('rejects a weak password before it compares the current one', async () => {
  const { user, caller } = await signedIn('weakling');
  expect(await accounts.changePassword(caller, { current: PASSWORD, next: 'password1234' }, origin())).toEqual({
    kind: 'weak-password',
    weakness: 'common',
  });
  expect(await accounts.changePassword(caller, { current: PASSWORD, next: 'zq-weakling-93' }, origin())).toEqual({
    kind: 'weak-password',
    weakness: 'contains-name',
  });
  expect(await system.user(user.email)).toMatchObject({ failedLoginAttempts: 0 });
});

test('one of several concurrent changes succeeds', async () => {
  const { user, caller } = await signedIn('twice');
  const results = await Promise.all(
    ['first', 'second', 'third'].map((word) =>
      accounts.changePassword(caller, { current: PASSWORD, next: `${NEXT} ${word}` }, origin()),
    ),
  );
  expect(results.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
  expect((await system.user(user.email)).passwordHash).not.toBe(user.passwordHash);
});

test('rejects an account without a password', async () => {
  const { user, caller } = await signedIn('provider');
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${user.id}`.execute(database);
  expect(await accounts.changePassword(caller, { current: PASSWORD, next: NEXT }, origin())).toEqual({
    kind: 'refused',
  });
});
