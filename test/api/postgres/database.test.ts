import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const { url, database: other } = await usePostgres({ migrated: false });

test('a broken connection between two queries of a transaction ends the transaction, not the process', async () => {
  const broken = Promise.withResolvers<Error>();
  const database = createDatabase({ url, onIdleError: broken.resolve });
  onTestFinished(() => database.destroy());
  const failed = await inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(other);
    expect((await broken.promise).message).toContain('terminating connection');
    await sql`SELECT 1`.execute(transaction);
  }).catch((error: unknown) => error);
  expect(isDatabaseUnavailable(failed)).toBe(true);
  expect((await sql<{ n: number }>`SELECT 1 AS n`.execute(database)).rows).toEqual([{ n: 1 }]);
});

test('reports a broken idle connection without its object, and not while the pool is closing', async () => {
  const reported: Error[] = [];
  const database = createDatabase({ url, connections: 1, onIdleError: (error) => void reported.push(error) });
  const processId = async () =>
    (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database)).rows[0]?.pid;
  await sql`SELECT pg_terminate_backend(${await processId()})`.execute(other);
  await waitFor('the broken connection', () => reported.length > 0);
  for (const error of reported) expect(Object.keys(error)).not.toContain('client');

  const pid = await processId();
  const before = reported.length;
  const closed = database.destroy();
  await sql`SELECT pg_terminate_backend(${pid})`.execute(other);
  await closed;
  expect(reported.slice(before)).toEqual([]);
});

test('keeps four idle connections to a single server, and closes others', async () => {
  const database = createDatabase({ url, idleMs: 1 });
  onTestFinished(() => database.destroy());
  const processIds = async (count: number) => {
    const all = Array.from({ length: count }, () =>
      sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database),
    );
    return new Set((await Promise.all(all)).map(({ rows }) => rows[0]?.pid));
  };
  const opened = await processIds(6);
  expect(opened.size).toBe(6);
  const kept = await waitFor('two of them to be closed', async () => {
    const { rows } = await sql<{ pid: number }>`
      SELECT pid FROM pg_stat_activity WHERE pid = ANY (${[...opened]}::int[])`.execute(other);
    return rows.length <= 4 && new Set(rows.map(({ pid }) => pid));
  });
  expect(await processIds(4)).toEqual(kept);
});

test('a query waits for a connection up to the configured time', async () => {
  const silent = createServer(() => {});
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const ask = async (connectionTimeoutMs: number) => {
    const database = createDatabase({ url: `postgres://unknown@127.0.0.1:${port}/none`, connectionTimeoutMs });
    const error = await sql`SELECT 1`.execute(database).catch((reason: unknown) => reason);
    await database.destroy();
    return { connectionTimeoutMs, error };
  };
  const patient = ask(120_000);
  const [connection] = (await once(silent, 'connection')) as [Socket];
  const first = await Promise.race([patient, ask(50)]);
  expect(first).toMatchObject({ connectionTimeoutMs: 50, error: expect.any(Error) });
  expect(isDatabaseUnavailable(first.error)).toBe(true);
  connection.destroy();
  expect(isDatabaseUnavailable((await patient).error)).toBe(true);
  silent.close();
});

test('the just-in-time compiler is off in our sessions, except behind a pooler, where the role decides', async () => {
  const jitOf = async (pooled: boolean) => {
    const database = createDatabase({ url, pooled, connections: 1 });
    onTestFinished(() => database.destroy());
    const setting = sql<{ setting: string; source: string }>`
      SELECT setting, source FROM pg_settings WHERE name = 'jit'`;
    return (await setting.execute(database)).rows[0];
  };
  // The test servers may have it disabled themselves.
  expect(await jitOf(false)).toEqual({ setting: 'off', source: 'client' });
  expect((await jitOf(true))?.source).not.toBe('client');
});
