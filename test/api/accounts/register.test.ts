import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { AUTH_SECRET, accountSystem, origin, PASSWORD } from './account-fixture.ts';

const system = await accountSystem();
const { database, accounts, deliver, codeFor } = system;

function wrongCode(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

const register = (username: string, otp: string, more: { ip?: string; password?: string } = {}) =>
  accounts.register(
    { username, email: `${username}@example.org`, password: more.password ?? PASSWORD, otp },
    origin(more.ip),
  );

test('a user registers once with a mailed code and gets a working key', async () => {
  const code = await codeFor('Ada@Example.org');
  const result = await register('ada', code);
  expect(result).toMatchObject({
    kind: 'registered',
    user: { username: 'ada', email: 'ada@example.org', role: 'user', emailVerified: true, image: null },
    apiKey: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
    apiKeyId: expect.any(String),
  });
  const user = await system.user('ada@example.org');
  expect(user.passwordHash).toMatch(/^\$2b\$/);
  expect(JSON.stringify(user)).not.toContain(PASSWORD);
  if (result.kind !== 'registered') throw new Error('unreachable');
  expect(result.apiKey.startsWith(`${result.apiKeyId}.`)).toBe(true);
  const keys = await database.selectFrom('apiKeys').selectAll().where('userId', '=', user.id).execute();
  expect(keys).toMatchObject([{ keyId: result.apiKeyId, label: 'default', revokedAt: null }]);
  expect(system.audited.filter(({ actor }) => actor === `user:${user.id}`).map(({ action }) => action)).toEqual([
    'user.register',
    'key.create',
  ]);
  expect(await register('ada2', code)).toEqual({ kind: 'refused' });
});

test('the number of attempts and the lifetime of a code are configurable', async () => {
  const strict = await accountSystem({ database, codeTries: { limit: 1, windowMs: 120_000 } });
  await strict.accounts.requestCode('tried@example.org', origin());
  const [mail] = await strict.deliver();
  expect(mail?.text).toContain('It is valid for 2 minutes');
  const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? 'none';
  const wanted = { username: 'tried', email: 'tried@example.org', password: PASSWORD };
  expect(await strict.accounts.register({ ...wanted, otp: wrongCode(code) }, origin())).toEqual({ kind: 'refused' });
  expect(await strict.accounts.register({ ...wanted, otp: code }, origin())).toEqual({ kind: 'refused' });
});

test('rejects a reserved username like a taken one, only with the right code, which stays valid', async () => {
  const code = await codeFor('rosa@example.org');
  const as = (username: string, otp: string) =>
    accounts.register({ username, email: 'rosa@example.org', password: PASSWORD, otp }, origin());
  expect(await as('Admin', wrongCode(code))).toEqual({ kind: 'refused' });
  expect(await as('Admin', code)).toEqual({ kind: 'username-taken' });
  expect(await as('administrative', code)).toMatchObject({ kind: 'registered' });
});

test('POST /api/auth/send-otp: sends no mail for a registered address, after the same work', async () => {
  await system.addUser('known');
  expect(await accounts.requestCode('known@example.org', origin())).toBeUndefined();
  expect(await accounts.requestCode('unknown@example.org', origin())).toBeUndefined();
  const jobs = await database.selectFrom('jobs').select('payload').where('queue', '=', 'mail').execute();
  expect(jobs).toHaveLength(2);
  const mails = await deliver();
  expect(mails.map(({ to }) => to)).toEqual(['unknown@example.org']);
  const rows = await database
    .selectFrom('oneTimeCodes')
    .select('email')
    .where('email', 'in', ['known@example.org', 'unknown@example.org'])
    .execute();
  expect(rows).toHaveLength(2);
});

test('the database contains no code, neither with the job nor with the address', async () => {
  await accounts.requestCode('secretive@example.org', origin());
  const jobs = await database.selectFrom('jobs').selectAll().execute();
  const [mail] = await deliver();
  const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? 'none';
  expect(JSON.stringify(jobs)).not.toContain(code);
  const row = await database
    .selectFrom('oneTimeCodes')
    .selectAll()
    .where('email', '=', 'secretive@example.org')
    .executeTakeFirstOrThrow();
  expect(row.codeHash).toHaveLength(32);
  expect(row.codeHash.toString('latin1')).not.toContain(code);
});

test('One-time code: 6 digits, 5-minute life', async () => {
  const code = await codeFor('late@example.org');
  expect(code).toMatch(/^\d{6}$/);
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM expires_at - created_at)::float AS seconds FROM one_time_codes WHERE email = 'late@example.org'
  `.execute(database);
  expect(rows[0]?.seconds).toBe(300);
  await sql`UPDATE one_time_codes SET expires_at = now() WHERE email = 'late@example.org'`.execute(database);
  expect(await register('late', code)).toEqual({ kind: 'refused' });
});

test('One-time code: 5 wrong attempts make it unusable, so the sixth is rejected even if it is right', async () => {
  const code = await codeFor('sixth@example.org');
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect(await register('sixth', wrongCode(code))).toEqual({ kind: 'refused' });
  expect(await register('sixth', code)).toEqual({ kind: 'refused' });
});

test('accepts the right code at the fifth attempt', async () => {
  const code = await codeFor('fifth@example.org');
  for (let attempt = 0; attempt < 4; attempt += 1) await register('fifth', wrongCode(code));
  expect(await register('fifth', code)).toMatchObject({ kind: 'registered' });
});

test('30 concurrent wrong attempts count as 30, and none after the fifth is compared', async () => {
  const code = await codeFor('burst@example.org');
  const tries = await Promise.all(Array.from({ length: 30 }, () => register('burst', wrongCode(code))));
  expect(tries.every(({ kind }) => kind === 'refused')).toBe(true);
  const { attempts } = await database
    .selectFrom('oneTimeCodes')
    .select('attempts')
    .where('email', '=', 'burst@example.org')
    .executeTakeFirstOrThrow();
  expect(attempts).toBe(30);
  expect(await register('burst', code)).toEqual({ kind: 'refused' });
});

test('one of 20 concurrent attempts with the right code gets the account', async () => {
  const code = await codeFor('race@example.org');
  const tries = await Promise.all(
    Array.from({ length: 20 }, (_value, at) =>
      accounts.register({ username: `race${at}`, email: 'race@example.org', password: PASSWORD, otp: code }, origin()),
    ),
  );
  expect(tries.filter(({ kind }) => kind === 'registered')).toHaveLength(1);
  expect(tries.filter(({ kind }) => kind === 'refused')).toHaveLength(19);
});

test('a new code replaces the previous one', async () => {
  const first = await codeFor('twice@example.org');
  const second = await codeFor('twice@example.org');
  if (first !== second) expect(await register('twice', first)).toEqual({ kind: 'refused' });
  expect(await register('twice', second)).toMatchObject({ kind: 'registered' });
});

test('reports a taken name only with the right code, which stays valid for another name', async () => {
  await system.addUser('taken');
  const code = await codeFor('newcomer@example.org');
  const as = (username: string, otp: string) =>
    accounts.register({ username, email: 'newcomer@example.org', password: PASSWORD, otp }, origin());
  expect(await as('TAKEN', wrongCode(code))).toEqual({ kind: 'refused' });
  expect(await as('TAKEN', code)).toEqual({ kind: 'username-taken' });
  expect(await as('newcomer', code)).toMatchObject({ kind: 'registered' });
});

test('rejects an address that was registered since the code was sent like a wrong code, and stores nothing', async () => {
  const code = await codeFor('registered@example.org');
  await system.addUser('registered');
  expect(
    await accounts.register(
      { username: 'latecomer', email: 'registered@example.org', password: PASSWORD, otp: code },
      origin(),
    ),
  ).toEqual({ kind: 'refused' });
  expect(await database.selectFrom('users').select('id').where('username', '=', 'latecomer').execute()).toEqual([]);
});

test('rejects a common password before it compares the code', async () => {
  const code = await codeFor('weak@example.org');
  for (let attempt = 0; attempt < 6; attempt += 1)
    expect(await register('weak', code, { password: 'password1234' })).toEqual({
      kind: 'weak-password',
      weakness: 'common',
    });
  expect(await register('weak', code)).toMatchObject({ kind: 'registered' });
});

test('Code verification: 10 attempts per 10 minutes per (IP, e-mail)', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect(await register('limited', '000000', { ip: '192.0.2.7' })).toEqual({ kind: 'refused' });
  expect(await register('limited', '000000', { ip: '192.0.2.7' })).toMatchObject({
    kind: 'limited',
    refusal: { code: 'rate_limited' },
  });
  expect(await register('limited', '000000', { ip: '192.0.2.8' })).toEqual({ kind: 'refused' });
  expect(system.reported.map(({ kind }) => kind)).toContain('code-guessing');
});

test('Code sending: 5 an hour per address, 20 an hour per IP', async () => {
  for (let sent = 0; sent < 5; sent += 1)
    expect(await accounts.requestCode('flooded@example.org', origin())).toBeUndefined();
  expect(await accounts.requestCode('flooded@example.org', origin())).toMatchObject({ code: 'rate_limited' });
  for (let sent = 0; sent < 20; sent += 1)
    expect(await accounts.requestCode(`many${sent}@example.org`, origin('192.0.2.9'))).toBeUndefined();
  expect(await accounts.requestCode('many@example.org', origin('192.0.2.9'))).toMatchObject({ code: 'rate_limited' });
});

test('accepts codes stored under the old AUTH_SECRET', async () => {
  const rotated = await accountSystem({ database, authSecrets: ['a new auth secret of the tests, 32+', AUTH_SECRET] });
  await deliver();
  const code = await codeFor('rotated@example.org');
  expect(
    await rotated.accounts.register(
      { username: 'rotated', email: 'rotated@example.org', password: PASSWORD, otp: code },
      origin(),
    ),
  ).toMatchObject({ kind: 'registered' });
});

test.each([
  ['closed', 'ann@example.org'],
  [['example.com'], 'ann@example.org'],
  [['example.com'], 'ann@sub.example.com'],
  [['example.com'], 'ann@example.com@example.org'],
] as const)('REGISTRATION=%s looks the same from outside, and sends no code to %s', async (registration, email) => {
  const closed = await accountSystem({ database, registration });
  await deliver();
  expect(await closed.accounts.requestCode(email, origin())).toBeUndefined();
  expect(await closed.deliver()).toEqual([]);
  const row = await database.selectFrom('oneTimeCodes').select('email').where('email', '=', email).execute();
  expect(row).toHaveLength(1);
});

test('REGISTRATION=example.com admits its users; earlier codes of other domains do not work', async () => {
  const early = await codeFor('early@example.org');
  const restricted = await accountSystem({ database, registration: ['example.com'] });
  const wanted = { username: 'early', email: 'early@example.org', password: PASSWORD, otp: early };
  expect(await restricted.accounts.register(wanted, origin())).toEqual({ kind: 'refused' });
  const code = await restricted.codeFor('grace@example.com');
  expect(
    await restricted.accounts.register(
      { username: 'grace', email: 'grace@example.com', password: PASSWORD, otp: code },
      origin(),
    ),
  ).toMatchObject({ kind: 'registered' });
});
