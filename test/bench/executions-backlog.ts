import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { countCompleted, DRAINED, drain, ended, enqueue, expectCompleted } from './execution-queue.ts';
import { all, type WorkerProcess } from './execution-workers.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

const ENGINE = fileURLToPath(new URL('executions-process.ts', import.meta.url));
const BACKLOG = 100_000;
const SHORT = 'bench_short_queue';
const TURNS_OF_A_ROUND = 2;
const WATCHED_MS = 4_000;

/**
 * The rate with a hundred thousand queued runs, alternating with a short queue in a second database, so that both run
 * under the same conditions.
 */
export async function withBacklog(
  { database, workers }: { readonly database: Database; readonly workers: readonly WorkerProcess[] },
  {
    url,
    start,
    rounds,
  }: { readonly url: string; readonly start: (file: string, url: string) => WorkerProcess; readonly rounds: number },
): Promise<BenchRow> {
  const shortUrl = new URL(url);
  shortUrl.pathname = `/${SHORT}`;
  await sql`CREATE DATABASE ${sql.id(SHORT)}`.execute(database);
  const short = createDatabase({ url: shortUrl.href, connections: 4 });
  try {
    await migrateDatabase(short);
    const shortWorkers = [start(ENGINE, shortUrl.href), start(ENGINE, shortUrl.href)];
    const rates = { long: [] as number[], short: [] as number[] };
    await enqueue(database, BACKLOG);
    for (let turn = 0; turn < rounds * TURNS_OF_A_ROUND; turn += 1) {
      rates.long.push(await rateOf(database, workers));
      await enqueue(short, DRAINED);
      rates.short.push(await drain(shortWorkers, () => ended(short)));
      await expectCompleted(short);
    }
    await sql`TRUNCATE executions, execution_steps, execution_changes CASCADE`.execute(database);
    const name = 'executions: 3 trivial steps, 2 workers, with 100,000 queued, against a short queue';
    return {
      ...ratioRow(name, 'runs/s', median(rates.long), median(rates.short), 0.9),
      details: [
        `turns ${rates.long.map(Math.round).join(', ')} against ${rates.short.map(Math.round).join(', ')}; of those queued ${Math.round(rates.long.reduce((sum, rate) => sum + (rate * WATCHED_MS) / 1_000, 0))} were run`,
      ],
    };
  } finally {
    await short.destroy();
    await sql`DROP DATABASE ${sql.id(SHORT)} WITH (FORCE)`.execute(database);
  }
}

/** Runs that end per second while the workers run, from the moment they begin. */
async function rateOf(database: Database, workers: readonly WorkerProcess[]): Promise<number> {
  const before = await countCompleted(database);
  const begun = performance.now();
  await all(workers, 'start');
  await pause(WATCHED_MS);
  const rate = ((await countCompleted(database)) - before) / ((performance.now() - begun) / 1_000);
  await all(workers, 'stop');
  return rate;
}
