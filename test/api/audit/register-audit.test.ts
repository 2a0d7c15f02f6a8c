import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAudit } from '#api/audit/audit.ts';
import { namesInAudit } from '#api/audit/tables/audit-names.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { insertUser, ORIGIN } from '../accounts/keys/key-fixture.ts';
import { runAdminApp } from '../accounts/routes/admin/admin-app.ts';

const { url, database } = await usePostgres();
const app = await runAdminApp(url);
afterAll(() => app.end());

let target: string;
let username: string;
beforeAll(async () => {
  const inserted = await insertUser(database);
  const { id } = inserted;
  username = inserted.username;
  target = `user:${id}`;
  for (const role of ['analyst', 'user', 'analyst']) await app.asOperator('PATCH', `/api/admin/users/${id}`, { role });
});

it('lists entries with all fields of the contract, newest first, with filters and pages', async () => {
  const { status, body } = await app.asOperator('GET', '/api/admin/audit-log?limit=2');
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 3, limit: 2, offset: 0 });
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual([3, 2]);
  expect(body.data[1]).toEqual({
    id: 2,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    actor: 'operator',
    target,
    actorName: null,
    targetName: username,
    action: 'user.update',
    diff: { role: { before: 'analyst', after: 'user' } },
    ip: '127.0.0.1',
    userAgent: 'node',
    requestId: expect.stringMatching(/^[\w-]{8,128}$/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const total = async (query: string) => (await app.asOperator('GET', `/api/admin/audit-log?${query}`)).body.total;
  expect(await total(`actor=operator&target=${target}&action=user.update`)).toBe(3);
  expect(await total('actor=anonymous')).toBe(0);
  expect(await total(`actor=anonymous,operator&target=${target},user:unknown&action=user.update,key.create`)).toBe(3);
  expect(await total(`from=${body.data[0].at}`)).toBeLessThanOrEqual(3);
  expect(await total('to=2020-01-01T00:00:00%2B01:00')).toBe(0);
  expect(await total(`target=${target}&from=now()-1h&to=now()`)).toBe(3);
  expect(await total('to=now()-1w')).toBe(0);
  for (const wrong of ['from=yesterday', 'limit=1000', 'hash=1', 'actor=', 'actor=%00'])
    expect((await app.asOperator('GET', `/api/admin/audit-log?${wrong}`)).status).toBe(400);
});

it('returns one entry by its id, as the list shows it', async () => {
  const { body } = await app.asOperator('GET', '/api/admin/audit-log?limit=100');
  for (const entry of body.data)
    expect(await app.asOperator('GET', `/api/admin/audit-log/${entry.id}`)).toMatchObject({ status: 200, body: entry });
  expect((await app.asOperator('GET', '/api/admin/audit-log/4')).status).toBe(404);
  for (const wrong of ['0', '-1', '1.5', 'x', '1234567890123456'])
    expect((await app.asOperator('GET', `/api/admin/audit-log/${wrong}`)).status).toBe(404);
  const analyst = await app.signIn(await insertUser(database, { role: 'analyst' }));
  expect((await analyst('GET', '/api/admin/audit-log/1')).status).toBe(403);
});

it('names the targets of entries while they exist', async () => {
  const id = 'case_0123456789abcdef0123456789abcdef';
  await sql`INSERT INTO cases (id, title, severity, created_by) VALUES (${id}, 'Probes of sshd', 'high', 'operator')`.execute(
    database,
  );
  const { id: user, username: owner } = await insertUser(database);
  await sql`INSERT INTO teams (id, name) VALUES ('team_1', 'responders')`.execute(database);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO sessions (user_id, expires_at, ip, user_agent) VALUES (${user}, now(), '127.0.0.1', 'node') RETURNING id`.execute(
    database,
  );
  const session = `session:${rows[0]?.id}`;
  await sql`
    INSERT INTO detection_exceptions (id, rule, hostname, reason, created_by)
    VALUES ('exc_0123456789abcdef0123456789abcdef', 'instruction-pointer-probe', 'fuzzing-*', 'a fuzzer runs there', 'operator')`.execute(
    database,
  );
  const token = '0b0e7b5e-5d1c-4f0e-9d5e-0123456789ab';
  await sql`
    INSERT INTO detector_tokens (id, token_hash, hostname, created_by, expires_at)
    VALUES (${token}, decode(repeat('00', 32), 'hex'), 'web-1', 'operator', now())`.execute(database);
  const mentioned = [
    { actor: `user:${user}`, target: `case:${id}` },
    { actor: session, target: 'team:team_1' },
    { actor: 'user:unknown', target: 'workflow:wf_gone' },
    { actor: 'operator', target: 'exception:exc_0123456789abcdef0123456789abcdef' },
    { actor: 'operator', target: `detector-token:${token}` },
    { actor: 'operator', target: 'detection:det_1' },
  ];
  const names = await namesInAudit(database, mentioned, async (ids) =>
    ids.map((one) => ({ id: one, name: 'Stack canary probe: edge-gw on demo' })),
  );
  const expected = {
    [`user:${user}`]: owner,
    [`case:${id}`]: expect.stringMatching(/^#\d+ Probes of sshd$/),
    [session]: owner,
    'team:team_1': 'responders',
    'exception:exc_0123456789abcdef0123456789abcdef': 'instruction-pointer-probe, fuzzing-*',
    [`detector-token:${token}`]: 'web-1',
    'detection:det_1': 'Stack canary probe: edge-gw on demo',
  };
  expect(Object.fromEntries(names)).toEqual(expected);
  // The audit log is available while ClickHouse is unavailable.
  const without = await namesInAudit(database, mentioned, () => Promise.reject(new Error('unavailable')));
  expect(Object.fromEntries(without)).toEqual({ ...expected, 'detection:det_1': undefined });
});

it('verifies the log, and finds altered entries', async () => {
  const verify = async (query = '') => (await app.asOperator('GET', `/api/admin/audit-log/verify${query}`)).body;
  const whole = await verify();
  expect(whole).toMatchObject({ verified: 3, head: { id: 3 }, broken: null });
  expect(await verify(`?expect=3:${whole.head.hash}`)).toEqual(whole);
  expect((await verify(`?expect=3:${'0'.repeat(64)}`)).broken).toEqual({ id: 3, fault: 'unexpected' });
  expect((await app.asOperator('GET', '/api/admin/audit-log/verify?expect=3')).status).toBe(400);
  await sql`ALTER TABLE audit_log DISABLE TRIGGER USER`.execute(database);
  await sql`GRANT UPDATE ON audit_log TO CURRENT_USER`.execute(database);
  await sql`UPDATE audit_log SET actor = 'system' WHERE id = 2`.execute(database);
  expect(await verify()).toMatchObject({ verified: 1, broken: { id: 2, fault: 'altered' } });
});

it('names the user of an ended session, not the user who ended it', async () => {
  const [began, ended] = await Promise.all([insertUser(database), insertUser(database)]);
  // The previous test disabled the trigger that maintains the head.
  await sql`ALTER TABLE audit_log ENABLE TRIGGER USER`.execute(database);
  const target = 'session:1b0e7b5e-5d1c-4f0e-9d5e-0123456789ab';
  const audit = createAudit();
  for (const [action, { id }] of [
    ['session.create', began],
    ['session.end', ended],
  ] as const)
    await inTransaction(database, (transaction) =>
      audit.record(transaction, { actor: `user:${id}`, target, action, origin: ORIGIN }),
    );
  expect(Object.fromEntries(await namesInAudit(database, [{ actor: 'operator', target }]))).toEqual({
    [target]: began.username,
  });
});
