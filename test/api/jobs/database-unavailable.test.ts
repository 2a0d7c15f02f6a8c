import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { JobHandlers } from '#api/jobs/port.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createJobWorker } from '#api/jobs/worker.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { startPostgres } from '#test/support/services/postgres.ts';
import { waitFor } from '#test/support/wait-for.ts';

test('after a kill of PostgreSQL the worker continues, a running job finishes once, and wake-ups arrive again', async () => {
  const postgres = await startPostgres();
  const database = createDatabase({ url: postgres.url });
  await migrateDatabase(database);
  const logger = pino({ level: 'silent' });
  const queue = createJobQueue({ database, logger });
  const add = (name: string) =>
    inTransaction(database, (transaction) => queue.add(transaction, { queue: 'q', payload: { name } }));
  const release = Promise.withResolvers<void>();
  const runs: string[] = [];
  const handlers: JobHandlers = {
    q: {
      async handle({ payload }) {
        const { name } = payload as { name: string };
        runs.push(name);
        if (name === 'in flight') await release.promise;
        return name;
      },
    },
  };
  // The lease outlives the restart of the server, however long it takes.
  const worker = createJobWorker({ database, logger, listenUrl: postgres.url, handlers }, { leaseMs: 600_000 });
  await add('in flight');
  await waitFor('the job to run', () => runs.length === 1);
  // The test server does not wait for its disk, but the claim must survive the crash.
  await sql`CHECKPOINT`.execute(database);
  await postgres.kill9();
  release.resolve();
  await postgres.restart();
  const state = (name: string) =>
    waitFor(`${name} to be done`, async () => {
      const jobs = await database.selectFrom('jobs').selectAll().execute();
      return jobs.find(({ payload, state }) => (payload as { name: string }).name === name && state === 'done');
    });
  expect(await state('in flight')).toMatchObject({ attempts: 1, result: 'in flight' });
  await add('after');
  expect(await state('after')).toMatchObject({ attempts: 1 });
  expect(runs).toEqual(['in flight', 'after']);
  await worker.stop();
  await database.destroy();
  await postgres.stop();
});
