import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MailNotSent, MailRefused } from '#api/accounts/mail/mail-failures.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { accountSystem, BASE_URL, origin, PASSWORD } from '../account-fixture.ts';

const NEW_PASSWORD = 'quartz-ladder-moss-12';
const system = await accountSystem();
const { database, accounts, sessions, resetTokenFor } = system;

const signIn = (name: string, password: string) => accounts.signIn(`${name}@example.org`, password, origin());
const tokensOf = (userId: string) =>
  database.selectFrom('resetTokens').selectAll().where('userId', '=', userId).execute();

test('a mailed link sets a new password once, and the old one stops working', async () => {
  const user = await system.addUser('ada');
  const token = await resetTokenFor('Ada@example.org');
  expect(system.mails.at(-1)?.text).toContain(`${BASE_URL}/auth/reset-password?token=${token}`);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'reset' });
  expect(await signIn('ada', PASSWORD)).toEqual({ kind: 'refused' });
  expect(await signIn('ada', NEW_PASSWORD)).toMatchObject({ kind: 'signed-in' });
  expect(await accounts.resetPassword(token, 'yet another quartz', origin())).toEqual({ kind: 'refused' });
  const actions = system.audited.filter(({ target }) => target === `user:${user.id}`).map(({ action }) => action);
  expect(actions).toEqual(['password.reset.request', 'password.reset']);
});

test('Password reset token: stored as a SHA-256 hash; 1-hour time to live', async () => {
  const user = await system.addUser('stored');
  const token = await resetTokenFor('stored@example.org');
  const [row] = await tokensOf(user.id);
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(token));
  expect(row?.tokenHash.equals(Buffer.from(digest))).toBe(true);
  expect(((row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)) / 1000).toBe(3600);
  await sql`UPDATE reset_tokens SET expires_at = now() WHERE user_id = ${user.id}`.execute(database);
  expect(await accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'refused' });
});

test('Reset token claimed: the claim is atomic, and all pending tokens of that user are deleted', async () => {
  const user = await system.addUser('claimed');
  const tokens = [await resetTokenFor('claimed@example.org'), await resetTokenFor('claimed@example.org')];
  const tries = await Promise.all(
    Array.from({ length: 20 }, (_value, at) =>
      accounts.resetPassword(tokens[at % 2] as string, `${NEW_PASSWORD} number ${at}`, origin()),
    ),
  );
  expect(tries.filter(({ kind }) => kind === 'reset')).toHaveLength(1);
  expect(tries.filter(({ kind }) => kind === 'refused')).toHaveLength(19);
  expect(await tokensOf(user.id)).toEqual([]);
});

test('Account: successful password reset clears the lockout and ends all sessions', async () => {
  const user = await system.addUser('locked');
  const { token: cookie } = await sessions.open(database, user, origin());
  for (let failure = 0; failure < 5; failure += 1) await signIn('locked', 'wrong password');
  await system.background.settled();
  const token = await resetTokenFor('locked@example.org');
  const published: string[] = [];
  await system.shared.channels.subscribe('sessions.ended', (message) => void published.push(message));
  expect(await accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'reset' });
  expect(await system.user(user.email)).toMatchObject({ failedLoginAttempts: 0, lockUntil: null });
  expect(await sessions.authenticate(cookie)).toBeUndefined();
  await waitFor('the news of it', () => published.includes(JSON.stringify({ userId: user.id })));
  expect(await signIn('locked', NEW_PASSWORD)).toMatchObject({ kind: 'signed-in' });
});

test('rejects a weak password, and the token stays valid', async () => {
  await system.addUser('weakling');
  const token = await resetTokenFor('weakling@example.org');
  expect(await accounts.resetPassword(token, 'password1234', origin())).toEqual({
    kind: 'weak-password',
    weakness: 'common',
  });
  expect(await accounts.resetPassword(token, 'zq-weakling-93-mkv', origin())).toMatchObject({ kind: 'weak-password' });
  expect(await accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'reset' });
});

test('an unknown, disabled or expired account gets no mail after the same work for all', async () => {
  await system.addUser('disabled');
  await system.addUser('ended');
  await sql`UPDATE users SET disabled = true WHERE username = 'disabled'`.execute(database);
  await sql`UPDATE users SET end_date = now() WHERE username = 'ended'`.execute(database);
  for (const name of ['unknown', 'disabled', 'ended'])
    expect(await accounts.requestReset(`${name}@example.org`, origin())).toBeUndefined();
  const jobs = await database.selectFrom('jobs').select('id').execute();
  expect(jobs).toHaveLength(3);
  expect(await system.deliver()).toEqual([]);
});

test('an account that was disabled after the mail keeps its password', async () => {
  const user = await system.addUser('revoked');
  const token = await resetTokenFor('revoked@example.org');
  await sql`UPDATE users SET disabled = true WHERE id = ${user.id}`.execute(database);
  expect(await accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'refused' });
  expect((await system.user(user.email)).passwordHash).toBe(user.passwordHash);
});

test('a user who has only signed in with a provider can set a password', async () => {
  const user = await system.addUser('provider');
  await sql`UPDATE users SET password_hash = NULL, email_verified = false WHERE id = ${user.id}`.execute(database);
  const token = await resetTokenFor('provider@example.org');
  expect(await accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'reset' });
  expect(await signIn('provider', NEW_PASSWORD)).toMatchObject({ kind: 'signed-in' });
  expect(await system.user(user.email)).toMatchObject({ emailVerified: true });
});

test('rejects a token that was never sent', async () => {
  for (const token of ['', 'x', 'x'.repeat(43)])
    expect(await accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'refused' });
});

test('Reset requests: 5 an hour per address', async () => {
  for (let asked = 0; asked < 5; asked += 1)
    expect(await accounts.requestReset('flooded@example.org', origin())).toBeUndefined();
  expect(await accounts.requestReset('flooded@example.org', origin())).toMatchObject({ code: 'rate_limited' });
});

test('an undelivered mail leaves no token; a rejected one is not retried', async () => {
  const user = await system.addUser('unreachable');
  await system.deliver();
  const failing = async (error: Error) => {
    const other = await accountSystem({ database, sendMail: () => Promise.reject(error) });
    await other.accounts.requestReset('unreachable@example.org', origin());
    return other.deliver().catch((reason: Error) => reason.name);
  };
  expect(await failing(new MailNotSent('busy'))).toBe('MailNotSent');
  expect(await failing(new MailRefused('no mailbox'))).toBe('PermanentJobFailure');
  expect(await tokensOf(user.id)).toEqual([]);
});

test('a retried mail leaves one audit entry, and so does one whose first attempt never started', async () => {
  const user = await system.addUser('retried');
  let failures = 1;
  const other = await accountSystem({
    database,
    sendMail: async () => {
      if (failures-- > 0) throw new MailNotSent('busy');
    },
  });
  const signal = new AbortController().signal;
  const attempt = (request: ReturnType<typeof origin>, number: number) =>
    other.mailJob({
      id: 1,
      payload: { kind: 'reset', email: 'retried@example.org', origin: request },
      attempt: number,
      requestId: request.requestId,
      signal,
      finish: async () => {},
    });
  const entries = () => other.audited.filter(({ target }) => target === `user:${user.id}`).length;
  const [first, second] = [origin(), origin()];
  await expect(attempt(first, 1)).rejects.toThrow('busy');
  await attempt(first, 2);
  expect(entries()).toBe(1);
  await attempt(second, 2);
  expect(entries()).toBe(2);
});
