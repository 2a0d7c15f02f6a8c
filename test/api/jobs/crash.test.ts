import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJobQueue } from '#api/jobs/queue.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { randomName } from '#test/support/random-name.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const WORKER = fileURLToPath(new URL('worker-process.ts', import.meta.url));
const logger = pino({ level: 'silent' });
let database: Database;
let url: string;
let folder: string;
beforeAll(async () => {
  ({ database, url } = await usePostgres());
  folder = await mkdtemp(path.join(tmpdir(), 'trapline-jobs-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function startWorker(leaseMs: number): SupervisedProcess {
  return supervise({
    command: process.execPath,
    args: [WORKER, url, String(leaseMs)],
    logFile: path.join(folder, `${randomName('worker')}.log`),
  });
}

const jobsOf = (queue: string) => database.selectFrom('jobs').selectAll().where('queue', '=', queue).execute();

test('a job whose worker was killed runs on another worker', async () => {
  const queue = createJobQueue({ database, logger });
  const first = startWorker(2_000);
  await inTransaction(database, (transaction) =>
    queue.add(transaction, { queue: 'hang', payload: null, maxAttempts: 1_000 }),
  );
  const before = await waitFor('the job to run', async () =>
    (await jobsOf('hang')).find((job) => job.state === 'running'),
  );
  const second = startWorker(2_000);
  await first.kill9();
  const after = await waitFor('the other worker to claim it', async () =>
    (await jobsOf('hang')).find((job) => job.state === 'running' && job.worker !== before.worker),
  );
  // On a suspended machine both workers may have lost and claimed it several times.
  expect(after.epoch).toBeGreaterThan(before.epoch);
  expect(after.attempts).toBeLessThan(after.epoch);
  await second.kill9();
});

test('no job is lost and each effect is written once while workers are killed', async () => {
  const queue = createJobQueue({ database, logger });
  const random = seededRandom(20_260_101);
  const workers = [startWorker(1_000), startWorker(1_000)];
  const add = (slug: string, until?: string) =>
    inTransaction(database, (transaction) =>
      queue.add(transaction, {
        queue: 'count',
        payload: { slug, ms: Math.floor(random.next() * 120), until },
        maxAttempts: 1_000,
        priority: Math.floor(random.next() * 3),
      }),
    );
  const running = async (id: number | undefined) =>
    (await jobsOf('count')).find((job) => job.id === id && job.state === 'running')?.worker;

  // In each round one job waits for its worker to be killed, so each kill hits a job in progress, however fast the
  // others are.
  const rounds = 8;
  const others = 18;
  const killed: (number | undefined)[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const held = await add(`job-${round}-held`, `killed-${round}`);
    for (let number = 0; number < others; number += 1) await add(`job-${round}-${number}`);
    const everyMs = 20 + random.next() * 60;
    const worker = await waitFor(`the job of round ${round} to run`, () => running(held), { everyMs });
    const pids = await Promise.all(workers.map(({ pid }) => pid));
    const at = pids.findIndex((pid) => worker.includes(`:${pid}:`));
    await workers[at]?.kill9();
    workers[at] = startWorker(1_000);
    killed.push(held);
    await database
      .insertInto('pageViews')
      .values({ slug: `killed-${round}`, views: 0 })
      .execute();
  }
  await waitFor('every job to be done', async () => (await jobsOf('count')).every(({ state }) => state === 'done'));
  await Promise.all(workers.map((worker) => worker.kill9()));

  const views = await database
    .selectFrom('pageViews')
    .select(['slug', 'views'])
    .where('slug', 'like', 'job-%')
    .execute();
  expect(views.filter(({ views: times }) => times !== 1)).toEqual([]);
  expect(views).toHaveLength(rounds * (others + 1));
  const epochs = (await jobsOf('count')).filter(({ id }) => killed.includes(id)).map(({ epoch }) => epoch);
  expect(epochs).toHaveLength(rounds);
  expect(Math.min(...epochs)).toBeGreaterThan(1);
});
