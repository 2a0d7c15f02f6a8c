import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { JobHandler } from '#api/jobs/port.ts';
import { createJobWorker } from '#api/jobs/worker.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';

/**
 * A worker in its own process, which tests kill: `node worker-process.ts DATABASE_URL LEASE_MS`. A job of the queue `count` counts the page view of its payload
 * in the transaction that ends the job. With `until`, it first waits until the page with that slug exists. A job of the queue `hang` never ends.
 */
const [url = '', leaseMs = '8000'] = process.argv.slice(2);
const database = createDatabase({ url, connections: 4 });

async function pageExists(slug: string): Promise<boolean> {
  const pages = await database.selectFrom('pageViews').select('slug').where('slug', '=', slug).execute();
  return pages.length > 0;
}

const count: JobHandler = async (job) => {
  const { slug, ms, until } = job.payload as { slug: string; ms: number; until?: string };
  await pause(ms);
  while (until !== undefined && !(await pageExists(until))) await pause(20);
  await inTransaction(database, async (transaction) => {
    await transaction
      .insertInto('pageViews')
      .values({ slug, views: 1 })
      .onConflict((conflict) =>
        conflict.column('slug').doUpdateSet(({ eb, ref }) => ({ views: eb(ref('pageViews.views'), '+', 1) })),
      )
      .execute();
    await job.finish(transaction, { by: process.pid });
  });
};
const hang: JobHandler = () => new Promise(() => {});

createJobWorker(
  {
    database,
    listenUrl: url,
    logger: pino(),
    handlers: { count: { handle: count, concurrency: 3 }, hang: { handle: hang } },
  },
  { leaseMs: Number(leaseMs), renewMs: Number(leaseMs) / 4, pollMs: 100 },
);
