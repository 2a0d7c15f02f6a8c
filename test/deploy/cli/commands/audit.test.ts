import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAudit } from '#api/audit/audit.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { runAdminApp } from '#test/api/accounts/routes/admin/admin-app.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { OPERATOR_KEY } from '../../../api/running-app.ts';
import { runCommand } from '../run-command.ts';

const { url, database } = await usePostgres();
const audit = createAudit();
const record = (target: string) =>
  inTransaction(database, (transaction) =>
    audit.record(transaction, {
      actor: 'operator',
      target,
      action: 'rule.update',
      origin: { ip: '192.0.2.1', userAgent: 'test', requestId: 'request-1' },
    }),
  );

test('`audit verify` gives the same result through the server and the database, and fails for an altered log', async () => {
  const app = await runAdminApp(url);
  const byServer = { TRAPLINE_URL: app.url, TRAPLINE_API_KEY: OPERATOR_KEY };
  const byDatabase = { DATABASE_URL: url };
  const empty = await runCommand(['audit', 'verify'], { environment: byServer });
  expect(empty).toMatchObject({ code: 0, stderr: 'trapline: the audit log is empty\n' });

  for (const target of ['rule:a', 'rule:b', 'rule:c']) await record(target);
  const whole = await runCommand(['audit', 'verify'], { environment: byServer });
  const { verified, head, broken } = JSON.parse(whole.stdout);
  expect({ code: whole.code, verified, broken }).toEqual({ code: 0, verified: 3, broken: null });
  expect(whole.stderr).toContain(`keep 3:${head.hash} in another place`);
  expect(await runCommand(['audit', 'verify'], { environment: byDatabase })).toEqual(whole);
  const direct = { ...byServer, ...byDatabase };
  expect(await runCommand(['audit', 'verify', '--direct'], { environment: direct })).toEqual(whole);

  const unexpected = ['audit', 'verify', '--expect', `2:${'0'.repeat(64)}`];
  for (const environment of [byServer, byDatabase]) {
    const { code, stderr } = await runCommand(unexpected, { environment });
    expect([code, stderr]).toEqual([
      1,
      'trapline: entry 2 is not the one that was written there; the 1 before it are unchanged\n',
    ]);
  }
  await sql`GRANT DELETE ON audit_log TO CURRENT_USER`.execute(database);
  await sql`ALTER TABLE audit_log DISABLE TRIGGER USER`.execute(database);
  await sql`DELETE FROM audit_log WHERE id = 3`.execute(database);
  for (const environment of [byServer, byDatabase]) {
    const { code, stderr } = await runCommand(['audit', 'verify'], { environment });
    expect([code, stderr]).toEqual([1, 'trapline: entry 3 is missing; the 2 before it are unchanged\n']);
  }
  await app.end();
});

test('an invalid entry and a missing server are wrong usage', async () => {
  expect((await runCommand(['audit', 'verify', '--expect', '12'])).code).toBe(2);
  expect(await runCommand(['audit', 'verify', '--direct'])).toMatchObject({
    code: 2,
    stderr: 'trapline: --direct needs DATABASE_URL\n',
  });
  const away = await runCommand(['audit', 'verify'], {
    environment: { DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' },
  });
  expect(away).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'trapline: PostgreSQL cannot be reached: check DATABASE_URL and the server\n',
  });
});
