import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { HasherBusy } from '#api/accounts/passwords/hasher.ts';
import { createResetPassword } from '#api/accounts/passwords/reset-password.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { SharedStateUnavailable } from '#api/shared-state/port.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { accountSystem, origin, PASSWORD } from '../account-fixture.ts';

const system = await accountSystem();
const { database, accounts, sessions } = system;

const signIn = (name: string, password = PASSWORD, ip?: string) =>
  accounts.signIn(`${name}@example.org`, password, origin(ip));
const REFUSED = { kind: 'refused' };

async function secondsLocked(email: string): Promise<number | null> {
  const { rows } = await sql<{ left: number | null }>`
    SELECT extract(epoch FROM lock_until - now())::float AS left FROM users WHERE email = ${email}`.execute(database);
  return rows[0]?.left ?? null;
}

test('the right password opens an audited session, regardless of the case of the address', async () => {
  const ada = await system.addUser('ada');
  const result = await accounts.signIn('ADA@example.org', PASSWORD, origin());
  if (result.kind !== 'signed-in') throw new Error(result.kind);
  expect(result.user).toMatchObject({ id: ada.id, username: 'ada', email: 'ada@example.org' });
  expect(await sessions.authenticate(result.session.token)).toMatchObject({ userId: ada.id });
  expect(system.audited).toContainEqual(
    expect.objectContaining({
      action: 'session.create',
      actor: `user:${ada.id}`,
      target: `session:${result.session.sessionId}`,
    }),
  );
});

test('unknown, wrong password, disabled, expired and without a password look the same', async () => {
  await system.addUser('bob');
  await system.addUser('disabled');
  await system.addUser('ended');
  await system.addUser('provider');
  await sql`UPDATE users SET disabled = true WHERE username = 'disabled'`.execute(database);
  await sql`UPDATE users SET end_date = now() WHERE username = 'ended'`.execute(database);
  await sql`UPDATE users SET password_hash = NULL WHERE username = 'provider'`.execute(database);
  expect(await signIn('bob', 'otter-lamp-quarry-78')).toEqual(REFUSED);
  for (const name of ['unknown', 'disabled', 'ended', 'provider']) expect(await signIn(name)).toEqual(REFUSED);
});

test('Account: 5 failed logins lock it for 15 minutes, and the right password is refused during the lock', async () => {
  const user = await system.addUser('guessed');
  for (let failure = 0; failure < 5; failure += 1) expect(await signIn('guessed', 'wrong password')).toEqual(REFUSED);
  expect(await signIn('guessed')).toEqual(REFUSED);
  const left = await secondsLocked('guessed@example.org');
  expect(left).toBeGreaterThan(14 * 60);
  expect(left).toBeLessThanOrEqual(15 * 60);
  await system.background.settled();
  expect(system.audited.filter(({ target }) => target === `user:${user.id}`)).toMatchObject([
    { action: 'user.lock', actor: 'system', diff: { lockUntil: { before: null } } },
  ]);
  expect(system.reported.filter(({ target }) => target === 'guessed@example.org')).toMatchObject(
    Array.from({ length: 6 }, () => ({ kind: 'password-guessing' })),
  );
  await sql`UPDATE users SET lock_until = now() WHERE username = 'guessed'`.execute(database);
  expect(await signIn('guessed', 'wrong password')).toEqual(REFUSED);
  expect(await signIn('guessed')).toMatchObject({ kind: 'signed-in' });
});

test('Rule 6: hashes once against a dummy also if the e-mail is unknown or the account is locked', async () => {
  const user = await system.addUser('timed');
  const compared = vi.spyOn(system.hasher, 'verify');
  try {
    for (let failure = 0; failure < 5; failure += 1) await signIn('timed', 'wrong password');
    compared.mockClear();
    await signIn('timed');
    await signIn('unknown-name');
    expect(compared).toHaveBeenCalledTimes(2);
    const [locked, unknown] = compared.mock.calls.map(([, hash]) => hash);
    expect(locked).toMatch(/^\$2b\$04\$/); // with the cost of all other hashes
    expect(locked).toBe(unknown);
    expect(locked).not.toBe(user.passwordHash);
  } finally {
    compared.mockRestore();
  }
});

test('attempts during the lock do not extend it', async () => {
  await system.addUser('pestered');
  for (let failure = 0; failure < 5; failure += 1) await signIn('pestered', 'wrong password');
  await system.background.settled();
  await sql`UPDATE users SET lock_until = now() + interval '1 minute' WHERE username = 'pestered'`.execute(database);
  for (let failure = 0; failure < 5; failure += 1) await signIn('pestered', 'wrong password');
  await system.background.settled();
  expect(await secondsLocked('pestered@example.org')).toBeLessThanOrEqual(60);
});

test('the failures that lock an account and the duration of the lock are configurable', async () => {
  const strict = await accountSystem({ database, accountLock: { limit: 2, windowMs: 30_000 } });
  await strict.addUser('strict');
  const tried = (password: string) => strict.accounts.signIn('strict@example.org', password, origin());
  expect(await tried('wrong password')).toEqual(REFUSED);
  expect(await secondsLocked('strict@example.org')).toBeNull();
  expect(await tried('wrong password')).toEqual(REFUSED);
  const left = await secondsLocked('strict@example.org');
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(30);
  expect(await tried(PASSWORD)).toEqual(REFUSED);
});

test('accepts the right password at the fifth attempt', async () => {
  await system.addUser('clumsy');
  for (let failure = 0; failure < 4; failure += 1) await signIn('clumsy', 'wrong password');
  expect(await signIn('clumsy')).toMatchObject({ kind: 'signed-in' });
});

test('Account: successful login wipes all three login counters: per IP, per IP and e-mail, per account', async () => {
  await system.addUser('wiped');
  const ip = '192.0.2.30';
  for (let failure = 0; failure < 4; failure += 1) expect(await signIn('wiped', 'wrong password', ip)).toEqual(REFUSED);
  for (let other = 0; other < 15; other += 1)
    expect(await signIn(`other${other}`, 'wrong password', ip)).toEqual(REFUSED);
  expect(await signIn('wiped', PASSWORD, ip)).toMatchObject({ kind: 'signed-in' });
  expect(await system.user('wiped@example.org')).toMatchObject({ failedLoginAttempts: 0, lockUntil: null });
  for (let failure = 0; failure < 4; failure += 1) expect(await signIn('wiped', 'wrong password', ip)).toEqual(REFUSED);
  for (let other = 0; other < 15; other += 1)
    expect(await signIn(`more${other}`, 'wrong password', ip)).toEqual(REFUSED);
  expect(await signIn('wiped', PASSWORD, ip)).toMatchObject({ kind: 'signed-in' });
});

test('30 concurrent wrong attempts count as 30; five are compared, and the account is locked', async () => {
  await system.addUser('stormed');
  const tries = await Promise.all(
    Array.from({ length: 30 }, (_value, at) => signIn('stormed', `wrong password ${at}`)),
  );
  expect(tries).toEqual(tries.map(() => REFUSED));
  await system.background.settled();
  expect(await system.user('stormed@example.org')).toMatchObject({ failedLoginAttempts: 30 });
  expect(await secondsLocked('stormed@example.org')).toBeGreaterThan(800);
  expect(await signIn('stormed')).toEqual(REFUSED);
});

test('of 30 concurrent attempts of which the last is right, the right one is not compared', async () => {
  await system.addUser('hidden');
  for (let failure = 0; failure < 5; failure += 1) await signIn('hidden', 'wrong password');
  const tries = await Promise.all(
    Array.from({ length: 30 }, (_value, at) => signIn('hidden', at === 29 ? PASSWORD : 'wrong password')),
  );
  expect(tries).toEqual(tries.map(() => REFUSED));
});

test('Rule 6, login: 20 per 10 minutes per IP, whatever the addresses, before anything is hashed', async () => {
  const ip = '192.0.2.40';
  for (let attempt = 0; attempt < 20; attempt += 1) await signIn(`sprayed${attempt}`, 'wrong password', ip);
  await system.addUser('sprayed20');
  expect(await signIn('sprayed20', PASSWORD, ip)).toMatchObject({ kind: 'limited', refusal: { code: 'rate_limited' } });
  expect(await system.user('sprayed20@example.org')).toMatchObject({ failedLoginAttempts: 0 });
  const targets = system.reported.filter(({ origin }) => origin.ip === ip).map(({ target }) => target);
  expect(new Set(targets).size).toBe(21);
});

test('success resets the counters, but an own account gives no attempts at fifty others', async () => {
  await system.addUser('insider');
  const ip = '192.0.2.43';
  for (let victim = 0; victim < 50; victim += 1) {
    expect(await signIn(`victim-${victim}`, 'wrong password', ip)).toEqual(REFUSED);
    if (victim % 10 === 5) expect(await signIn('insider', PASSWORD, ip)).toMatchObject({ kind: 'signed-in' });
  }
  await system.background.settled();
  expect(await signIn('victim-50', 'wrong password', ip)).toMatchObject({ kind: 'limited' });
  expect(await signIn('insider', PASSWORD)).toMatchObject({ kind: 'signed-in' });
});

test('Login: 10 per 10 minutes per (IP, e-mail)', async () => {
  const ip = '192.0.2.41';
  for (let attempt = 0; attempt < 10; attempt += 1) await signIn('narrow', 'wrong password', ip);
  expect(await signIn('narrow', 'wrong password', ip)).toMatchObject({ kind: 'limited' });
  expect(await signIn('narrow', 'wrong password', '192.0.2.42')).toEqual(REFUSED);
});

test('an attempt that finds the hash queue full is rejected as busy, and does not count as a failure', async () => {
  const busy = await accountSystem({ database, hasher: { threads: 1, maxQueued: 0, cost: 10 } });
  const user = await system.addUser('busy');
  // Sequential without a pause: the work of a sign-in before the comparison may take longer than a hash.
  let occupied = true;
  const hashing = (async () => {
    while (occupied) await busy.hasher.hash('occupied');
  })();
  await expect(busy.accounts.signIn('busy@example.org', PASSWORD, origin())).rejects.toBeInstanceOf(HasherBusy);
  occupied = false;
  await hashing;
  await busy.background.settled();
  expect(await system.user(user.email)).toMatchObject({ failedLoginAttempts: 0, lockUntil: null });
});

test('Redis unavailable: rejects sign-ins', async () => {
  const away: SharedState = {
    ...({} as SharedState),
    windows: {
      take: () => Promise.reject(new SharedStateUnavailable('away')),
      peek: () => Promise.reject(new SharedStateUnavailable('away')),
      clear: () => Promise.reject(new SharedStateUnavailable('away')),
    },
  };
  const cut = await accountSystem({ database, shared: away });
  await system.addUser('cut');
  expect(await cut.accounts.signIn('cut@example.org', PASSWORD, origin())).toMatchObject({
    kind: 'limited',
    refusal: { code: 'unavailable' },
  });
});

test('a password that was changed while the old one was compared opens no session', async () => {
  const slow = await accountSystem({ database, hasher: { cost: 10, threads: 1 } });
  const user = await system.addUser('changed');
  const blocker = slow.hasher.hash('occupied');
  const pending = slow.accounts.signIn('changed@example.org', PASSWORD, origin());
  await blocker;
  const token = await system.resetTokenFor('changed@example.org');
  const reset = createResetPassword({
    database,
    sessions,
    hasher: system.hasher,
    audit: { record: async () => {} },
    announceEnded: async () => {},
  });
  const [signedIn, done] = await Promise.all([pending, reset(token, 'an entirely new otter', origin())]);
  expect(done).toEqual({ kind: 'reset' });
  const left = await database.selectFrom('sessions').select('id').where('userId', '=', user.id).execute();
  expect(left).toEqual([]);
  expect(['refused', 'signed-in']).toContain(signedIn.kind);
});

test('sign-out ends the session on the server and is audited, and is idempotent', async () => {
  await system.addUser('leaver');
  const result = await signIn('leaver');
  if (result.kind !== 'signed-in') throw new Error(result.kind);
  const caller = await sessions.authenticate(result.session.token);
  if (caller === undefined) throw new Error('no caller');
  const published: string[] = [];
  await system.shared.channels.subscribe('sessions.ended', (message) => void published.push(message));
  await accounts.signOut(caller, origin());
  await waitFor('the news of it', () => published.includes(JSON.stringify({ sessionId: result.session.sessionId })));
  await accounts.signOut(caller, origin());
  expect(await sessions.authenticate(result.session.token)).toBeUndefined();
  const target = `session:${result.session.sessionId}`;
  expect(system.audited.filter((entry) => entry.target === target && entry.action === 'session.end')).toHaveLength(1);
});

test('no background work failed', async () => {
  await system.background.settled();
  expect(system.failures).toEqual([]);
});
