import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { serverAddress } from '#test/support/services/postgres.ts';
import { startStallingProxy } from '#test/support/services/stalling-proxy.ts';
import { usePostgres } from '#test/support/use-services.ts';

const direct = new URL((await usePostgres({ migrated: false })).url);

test('closes connections without a response, also in transactions, and later queries succeed', async () => {
  const proxy = await startStallingProxy(serverAddress(direct));
  const url = Object.assign(new URL(direct), { host: `127.0.0.1:${proxy.port}` }).href;
  const database = createDatabase({ url, connections: 2, statementTimeoutMs: 2_000 });
  onTestFinished(async () => {
    await database.destroy();
    await proxy.stop();
  });
  const ask = () => sql`SELECT 1`.execute(database);
  const stalled = Promise.withResolvers<void>();
  const both = Promise.all([
    ask(),
    inTransaction(database, async (transaction) => {
      await sql`SELECT 1`.execute(transaction);
      await stalled.promise;
      await sql`SELECT 2`.execute(transaction);
    }).catch((error: unknown) => error),
  ]);
  await ask();
  proxy.stall();
  const refused = ask().catch((error: unknown) => error);
  stalled.resolve();
  const [, inside] = await both;
  expect([await refused, inside].map(isDatabaseUnavailable)).toEqual([true, true]);
  expect((await Promise.all([ask(), ask(), ask()])).map(({ rows }) => rows.length)).toEqual([1, 1, 1]);
});
