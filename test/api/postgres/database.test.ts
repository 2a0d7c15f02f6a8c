import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '#api/postgres/database.ts';
import { isDatabaseAway } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { url, database: other } = await usePostgres({ migrated: false });

test('a connection that breaks between two queries of a transaction ends the transaction, not the process', async () => {
  const broken = Promise.withResolvers<Error>();
  const database = createDatabase({ url, onIdleError: broken.resolve });
  onTestFinished(() => database.destroy());
  const failed = await inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(other);
    expect((await broken.promise).message).toContain('terminating connection');
    await sql`SELECT 1`.execute(transaction);
  }).catch((error: unknown) => error);
  expect(isDatabaseAway(failed)).toBe(true);
  expect((await sql<{ n: number }>`SELECT 1 AS n`.execute(database)).rows).toEqual([{ n: 1 }]);
});
