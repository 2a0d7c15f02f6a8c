import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { housekeepingHandlers } from '#api/accounts/housekeeping.ts';
import { createJobWorker } from '#api/jobs/worker.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

test('a worker deletes expired data and nothing else', async () => {
  const { database } = await usePostgres();
  const { id } = await database
    .insertInto('users')
    .values({ username: 'ada', email: 'ada@example.org', passwordHash: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const past = sql<Date>`now() - interval '1 s'`;
  const future = sql<Date>`now() + interval '1 h'`;
  for (const [at, expiresAt] of [past, future].entries()) {
    await database.insertInto('sessions').values({ userId: id, expiresAt, ip: '', userAgent: '' }).execute();
    await database
      .insertInto('oneTimeCodes')
      .values({ email: `${at}@example.org`, codeHash: Buffer.alloc(1), expiresAt })
      .execute();
    await database
      .insertInto('resetTokens')
      .values({ tokenHash: Buffer.of(at), userId: id, expiresAt })
      .execute();
  }
  await sql`INSERT INTO jobs (queue, payload, state, finished_at) SELECT 'old', '{}', 'done', now() - interval '2 days' FROM generate_series(1, 2500)`.execute(
    database,
  );
  await sql`INSERT INTO jobs (queue, payload, state, finished_at) VALUES ('old', '{}', 'failed', now() - interval '2 days')`.execute(
    database,
  );

  const handlers = housekeepingHandlers({ database }, { every: 100 });
  const worker = createJobWorker({ database, handlers, logger: pino({ level: 'silent' }) }, { pollMs: 20 });
  await waitFor('both to have run', async () => {
    const done = await database
      .selectFrom('jobs')
      .select('queue')
      .where('state', '=', 'done')
      .where('queue', '!=', 'old')
      .distinct()
      .execute();
    return done.length === 2;
  });
  await worker.stop();
  const left = await Promise.all(
    (['sessions', 'oneTimeCodes', 'resetTokens'] as const).map(
      async (table) => (await database.selectFrom(table).selectAll().execute()).length,
    ),
  );
  expect(left).toEqual([1, 1, 1]);
  const old = await database.selectFrom('jobs').select('state').where('queue', '=', 'old').execute();
  expect(old).toEqual([{ state: 'failed' }]);
});
