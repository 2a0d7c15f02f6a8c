import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createSessions, type Sessions } from '#api/accounts/sessions/sessions.ts';
import { deleteExpiredSessions } from '#api/accounts/tables/sessions.ts';
import type { Database } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';

const NEW = 'n'.repeat(32);
const OLD = 'o'.repeat(32);
const ORIGIN = { ip: '192.0.2.1', userAgent: 'test', requestId: 'request-1' };

let database: Database;
let sessions: Sessions;
let added = 0;

beforeAll(async () => {
  ({ database } = await usePostgres());
  sessions = createSessions({ database }, { secrets: [NEW] });
});

async function addUser() {
  added += 1;
  return database
    .insertInto('users')
    .values({ username: `user${added}`, email: `user${added}@example.org`, passwordHash: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function signedIn() {
  const user = await addUser();
  return { user, ...(await sessions.open(database, user, ORIGIN)) };
}

test('a session identifies its user', async () => {
  const { user, token, sessionId, expiresAt } = await signedIn();
  expect(await sessions.authenticate(token)).toEqual({
    kind: 'session',
    userId: user.id,
    username: user.username,
    email: user.email,
    role: 'user',
    sessionId,
  });
  const hours = (expiresAt.getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThan(12.1);
});

test('Session: JWT session cookie; claims sid and role', async () => {
  const { token, sessionId } = await signedIn();
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  expect(header).toMatchObject({ alg: 'HS256', kid: expect.any(String) });
  expect(payload).toMatchObject({ sid: sessionId, role: 'user', exp: expect.any(Number) });
  expect(JSON.stringify([header, payload])).not.toContain(NEW);
});

test('a changed role applies immediately, whatever the cookie says', async () => {
  const { user, token } = await signedIn();
  await database.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute();
  expect(await sessions.authenticate(token)).toMatchObject({ role: 'admin' });
});

test('disabling an account ends its sessions immediately', async () => {
  const { user, token } = await signedIn();
  await database.updateTable('users').set({ disabled: true }).where('id', '=', user.id).execute();
  expect(await sessions.authenticate(token)).toBeUndefined();
});

test('endDate ends sessions at that time, not before', async () => {
  const { user, token } = await signedIn();
  const endsIn = (interval: string) =>
    sql`UPDATE users SET end_date = now() + ${interval}::interval WHERE id = ${user.id}`.execute(database);
  await endsIn('1 hour');
  expect(await sessions.authenticate(token)).toBeDefined();
  await endsIn('-1 second');
  expect(await sessions.authenticate(token)).toBeUndefined();
});

test('a lockout rejects sign-ins, not existing sessions', async () => {
  const { user, token } = await signedIn();
  await sql`UPDATE users SET lock_until = now() + interval '15 minutes' WHERE id = ${user.id}`.execute(database);
  expect(await sessions.authenticate(token)).toBeDefined();
});

test('an ended session is rejected though its token has not expired', async () => {
  const { token, sessionId } = await signedIn();
  expect(await sessions.end(sessionId)).toBe(true);
  expect(await sessions.authenticate(token)).toBeUndefined();
  expect(await sessions.end(sessionId)).toBe(false);
});

test('ends all sessions of a user together, and none of other users', async () => {
  const { user, token } = await signedIn();
  const again = await sessions.open(database, user, ORIGIN);
  const other = await signedIn();
  expect(await sessions.endAll(user.id)).toBe(2);
  expect(await sessions.authenticate(token)).toBeUndefined();
  expect(await sessions.authenticate(again.token)).toBeUndefined();
  expect(await sessions.authenticate(other.token)).toBeDefined();
});

test('a session of a rolled back transaction does not exist', async () => {
  const user = await addUser();
  let token = '';
  await database
    .transaction()
    .execute(async (transaction) => {
      ({ token } = await sessions.open(transaction, user, ORIGIN));
      throw new Error('rolled back');
    })
    .catch(() => {});
  expect(await sessions.authenticate(token)).toBeUndefined();
});

test('rows of expired sessions do not count, and the retention deletes them', async () => {
  const { token, sessionId } = await signedIn();
  const lasting = await signedIn();
  await sql`UPDATE sessions SET expires_at = now() - interval '1 minute' WHERE id = ${sessionId}`.execute(database);
  expect(await sessions.authenticate(token)).toBeUndefined();
  expect(await deleteExpiredSessions(database)).toBe(1);
  expect(await sessions.authenticate(lasting.token)).toBeDefined();
});

test('tokens of the old JWT_SECRET are valid only while it is listed after the new one', async () => {
  const user = await addUser();
  const before = createSessions({ database }, { secrets: [OLD] });
  const { token } = await before.open(database, user, ORIGIN);
  expect(await sessions.authenticate(token)).toBeUndefined();
  const rotated = createSessions({ database }, { secrets: [NEW, OLD] });
  expect(await rotated.authenticate(token)).toBeDefined();
  const { token: fresh } = await rotated.open(database, user, ORIGIN);
  expect(await sessions.authenticate(fresh)).toBeDefined();
  expect(await before.authenticate(fresh)).toBeUndefined();
});

test('rejects a token that was changed, is unsigned, or was signed for another purpose', async () => {
  const { token, sessionId } = await signedIn();
  const [header = '', payload = '', signature = ''] = token.split('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const signed = (extra: object, head: { alg: string; kid?: string }) =>
    new SignJWT({ ...claims, ...extra }).setProtectedHeader(head).sign(new TextEncoder().encode(NEW));
  const forged = [
    '',
    'x',
    'a.b.c',
    'x'.repeat(100_000),
    `${header}.${encode({ ...claims, role: 'admin' })}.${signature}`,
    `${encode({ alg: 'none' })}.${payload}.`,
    `${encode({ alg: 'none', kid })}.${payload}.`,
    await signed({}, { alg: 'HS256' }),
    await signed({}, { alg: 'HS512', kid }),
    await signed({ aud: 'something-else' }, { alg: 'HS256', kid }),
    await signed({ sid: `${sessionId}'--` }, { alg: 'HS256', kid }),
    await signed({ sid: undefined }, { alg: 'HS256', kid }),
    await signed({ exp: undefined }, { alg: 'HS256', kid }),
    await signed({ exp: 1 }, { alg: 'HS256', kid }),
    await signed({ role: 'root' }, { alg: 'HS256', kid }),
  ];
  for (const candidate of forged)
    expect(await sessions.authenticate(candidate), candidate.slice(0, 80)).toBeUndefined();
  expect(await sessions.authenticate(await signed({}, { alg: 'HS256', kid }))).toBeDefined();
});

test('a sign-in beyond the maximum number of sessions ends the oldest, also concurrently', async () => {
  const user = await addUser();
  const few = createSessions({ database }, { secrets: [NEW], maxPerUser: 3 });
  const open = () => database.transaction().execute((transaction) => few.open(transaction, user, ORIGIN));
  const first = await open();
  await sql`UPDATE sessions SET created_at = created_at - interval '1 hour' WHERE id = ${first.sessionId}`.execute(
    database,
  );
  const others = await Promise.all([open(), open()]);
  expect(await few.authenticate(first.token)).toBeDefined();
  await Promise.all([open(), open(), open(), open()]);
  expect(await few.authenticate(first.token)).toBeUndefined();
  const { count } = await database
    .selectFrom('sessions')
    .where('userId', '=', user.id)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(3);
  expect(others).toHaveLength(2);
});
