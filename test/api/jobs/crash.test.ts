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

test('a worker is killed in the middle of a job: another has it, and the first one can write no more', async () => {
  const queue = createJobQueue({ database, logger: pino({ level: 'silent' }) });
  const first = startWorker(2_000);
  await inTransaction(database, (transaction) => queue.add(transaction, { queue: 'hang', payload: null }));
  const before = await waitFor('the job to run', async () =>
    (await jobsOf('hang')).find((job) => job.state === 'running'),
  );
  const second = startWorker(2_000);
  await first.kill9();
  const after = await waitFor('the other worker to have it', async () =>
    (await jobsOf('hang')).find((job) => job.state === 'running' && job.worker !== before.worker),
  );
  // On a machine that stood still both may have lost it once more and had it again.
  expect(after.epoch).toBeGreaterThan(before.epoch);
  expect(after.attempts).toBeLessThan(after.epoch);
  await second.kill9();
});

test('workers die at random, over and over: no job is lost, and what each does is done once', async () => {
  const queue = createJobQueue({ database, logger: pino({ level: 'silent' }) });
  const random = seededRandom(20_260_101);
  const jobs = 150;
  const workers = [startWorker(1_000), startWorker(1_000)];
  for (let number = 0; number < jobs; number += 1)
    await inTransaction(database, (transaction) =>
      queue.add(transaction, {
        queue: 'count',
        payload: { slug: `job-${number}`, ms: Math.floor(random.next() * 120) },
        maxAttempts: 1_000,
        priority: number % 3,
      }),
    );
  // Each kill waits for jobs done since the last one, with others under way, so that all of them come before the work ends, however fast that is.
  const kills = 8;
  for (let kill = 0; kill < kills; kill += 1) {
    await waitFor(
      `the work to go on before kill ${kill + 1}`,
      async () => {
        const states = (await jobsOf('count')).map(({ state }) => state);
        return states.filter((state) => state === 'done').length >= kill * 10 && states.includes('running');
      },
      { everyMs: 20 + random.next() * 60 },
    );
    const at = kill % workers.length;
    await workers[at]?.kill9();
    workers[at] = startWorker(1_000);
  }
  await waitFor('every job to be done', async () => (await jobsOf('count')).every(({ state }) => state === 'done'));
  await Promise.all(workers.map((worker) => worker.kill9()));
  const views = await database
    .selectFrom('pageViews')
    .select(['slug', 'views'])
    .where('slug', 'like', 'job-%')
    .execute();
  expect(views.filter(({ views: times }) => times !== 1)).toEqual([]);
  expect(views).toHaveLength(jobs);
  expect((await jobsOf('count')).some(({ epoch }) => epoch > 1)).toBe(true);
});
