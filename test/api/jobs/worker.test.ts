import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewJob } from '#api/jobs/port.ts';
import { type JobHandlers, JobPostponed, PermanentJobFailure, type RunningJob } from '#api/jobs/port.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { reclaimExpiredJobs } from '#api/jobs/tables/jobs.ts';
import { createJobWorker, type JobWorker } from '#api/jobs/worker.ts';
import type { LeaseWorkerConfig } from '#api/leases/lease-worker.ts';
import { LeaseLost } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const logger = pino({ level: 'silent' });
let database: Database;
let url: string;
const workers: JobWorker[] = [];
beforeAll(async () => {
  ({ database, url } = await usePostgres());
});
beforeEach(async () => {
  await database.deleteFrom('jobs').execute();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

function work(handlers: JobHandlers, config: LeaseWorkerConfig = {}, listenUrl: string | undefined = url): JobWorker {
  // A lease of one minute, so that no lease expires on a slow machine.
  const worker = createJobWorker(
    { database, handlers, logger, listenUrl },
    { finishMs: 50, leaseMs: 60_000, ...config },
  );
  workers.push(worker);
  return worker;
}
const add = (job: Partial<NewJob> = {}) =>
  inTransaction(database, (transaction) =>
    createJobQueue({ database, logger }).add(transaction, { queue: 'q', payload: null, ...job }),
  );
const jobs = () => database.selectFrom('jobs').selectAll().orderBy('id').execute();
const jobIn = (state: string) =>
  waitFor(`a job to be ${state}`, async () => (await jobs()).find((job) => job.state === state));
const never = () => new Promise<never>(() => {});

test('a job runs with its payload, and its result is stored', async () => {
  work({ q: { handle: async ({ payload, attempt, requestId }) => ({ payload, attempt, requestId }) } });
  const id = await add({ payload: { to: ['ada'] }, requestId: 'request-7' });
  const done = await jobIn('done');
  expect(done).toMatchObject({ id, result: { payload: { to: ['ada'] }, attempt: 1, requestId: 'request-7' } });
  expect(done.finishedAt).toBeInstanceOf(Date);
});

test('does not retry a deferred job early', async () => {
  work({ q: { handle: () => Promise.reject(new JobPostponed('asked to wait', 3_600_000)) } });
  await add({ maxAttempts: 5 });
  const waiting = await waitFor('the job to have failed once', async () =>
    (await jobs()).find(({ state, lastError }) => state === 'waiting' && lastError !== null),
  );
  const { rows } = await sql<{ later: boolean }>`
    SELECT run_at > now() + interval '59 minutes' AS later FROM jobs WHERE id = ${waiting.id}`.execute(database);
  expect(rows).toEqual([{ later: true }]);
});

test('wakes a worker after the commit of the transaction that added the job', async () => {
  const began = Promise.withResolvers<string>();
  let transaction = 'not begun';
  work({ q: { handle: async () => began.resolve(transaction) } }, { pollMs: 60_000 });
  await waitFor('the worker to listen', async () => {
    const { rows } =
      await sql`SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN trapline_jobs' AND datname = current_database()`.execute(
        database,
      );
    return rows.length > 0;
  });
  await inTransaction(database, async (open) => {
    transaction = 'open';
    await createJobQueue({ database, logger }).add(open, { queue: 'q', payload: null });
    // A worker that is woken too early has time to poll before this responds.
    await sql`SELECT pg_sleep(0.2)`.execute(open);
    transaction = 'on its way to be committed';
  });
  expect(await began.promise).toBe('on its way to be committed');
});

test('finds the job by polling without notifications', async () => {
  work({ q: { handle: async () => 'found' } }, { pollMs: 50 }, undefined);
  await add();
  await jobIn('done');
  await database.deleteFrom('jobs').execute();
  work({ other: { handle: async () => 'found' } }, { pollMs: 50 }, 'postgres://unknown@127.0.0.1:1/none');
  await add({ queue: 'other' });
  await jobIn('done');
});

test('retries a failed job after a pause, until it succeeds or the attempts are used up', async () => {
  const attempts: number[] = [];
  let failedAt = 0;
  const second = Promise.withResolvers<{ lastError: string | null; runAt: Date }>();
  work(
    {
      q: {
        handle: async ({ id, attempt }) => {
          attempts.push(attempt);
          if (attempt === 1) {
            failedAt = Date.now();
            throw new Error('the server is busy: token=3vQ9xkT0aPz1LmN8');
          }
          // The row after the failure: only this handler reads it before the second attempt ends.
          second.resolve((await jobs()).find((job) => job.id === id) ?? expect.unreachable('the job is gone'));
        },
      },
      hopeless: { handle: () => Promise.reject(new Error('never')) },
      permanent: { handle: () => Promise.reject(new PermanentJobFailure('no such address')) },
    },
    { pollMs: 50 },
  );
  await add();
  const { lastError, runAt } = await second.promise;
  expect(lastError).toBe('Error: the server is busy: token=[redacted]');
  expect(runAt.getTime() - failedAt).toBeGreaterThanOrEqual(499); // half of the first pause of one second
  expect(await jobIn('done')).toMatchObject({ attempts: 2, lastError: null });
  expect(attempts).toEqual([1, 2]);
  await add({ queue: 'hopeless', maxAttempts: 1 });
  expect(await jobIn('failed')).toMatchObject({ queue: 'hopeless', attempts: 1, lastError: 'Error: never' });
  await database.deleteFrom('jobs').execute();
  await add({ queue: 'permanent' });
  expect(await jobIn('failed')).toMatchObject({ attempts: 1, lastError: 'PermanentJobFailure: no such address' });
});

test('a queue full of slow jobs does not delay others, and runs no more at once than permitted', async () => {
  let running = 0;
  let most = 0;
  work({
    slow: {
      concurrency: 3,
      handle: async () => {
        running += 1;
        most = Math.max(most, running);
        await never();
      },
    },
    quick: { handle: async () => 'quick' },
  });
  await database
    .insertInto('jobs')
    .values(Array.from({ length: 50 }, () => ({ queue: 'slow', payload: 'null', priority: 9, key: null })))
    .execute();
  await waitFor('the slow ones to fill their places', () => running === 3);
  await add({ queue: 'quick' });
  await jobIn('done');
  expect(most).toBe(3);
});

test('five hundred parked jobs do not delay a new one', async () => {
  let begun = 0;
  work({ q: { handle: async () => void begun++ } });
  await database
    .insertInto('jobs')
    .values(
      Array.from({ length: 500 }, (_, index) => ({
        queue: 'q',
        payload: 'null',
        key: null,
        priority: 9,
        runAt: new Date(Date.now() + 3_600_000 + index),
      })),
    )
    .execute();
  await add();
  await jobIn('done');
  for (let round = 2; round < 20; round += 1) {
    await add();
    await waitFor('the new one to begin', () => begun === round, { everyMs: 1 });
  }
});

test('renews the lease of a long job', async () => {
  const release = Promise.withResolvers<void>();
  const config = { leaseMs: 6_000, renewMs: 200, pollMs: 50 };
  let runs = 0;
  const handlers: JobHandlers = {
    q: {
      handle: async () => {
        runs += 1;
        await release.promise;
      },
    },
  };
  work(handlers, config);
  work(handlers, config);
  await add();
  const { leaseUntil } = await jobIn('running');
  await waitFor('the first lease to have passed', () => Date.now() > (leaseUntil?.getTime() ?? 0) + 200);
  release.resolve();
  expect(await jobIn('done')).toMatchObject({ attempts: 1, epoch: 1 });
  expect(runs).toBe(1);
});

test('a worker that lost the lease is notified by the signal, and neither its result nor its effects are written', async () => {
  const zombie = Promise.withResolvers<RunningJob>();
  const release = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<unknown>();
  let runs = 0;
  work(
    {
      q: {
        handle: async (job) => {
          runs += 1;
          if (runs > 1) return 'the second';
          zombie.resolve(job);
          await release.promise;
          await inTransaction(database, async (transaction) => {
            await transaction.insertInto('pageViews').values({ slug: 'zombie', views: 1 }).execute();
            await job.finish(transaction, 'the first');
          }).catch((error: unknown) => {
            refused.resolve(error);
            throw error;
          });
          return 'the first';
        },
      },
    },
    { renewMs: 50, pollMs: 50 },
  );
  await add();
  const job = await zombie.promise;
  // Does in one statement what another worker does with an expired lease. Between two statements, the first worker
  // could renew it.
  await sql`UPDATE jobs SET state = 'waiting', lease_until = NULL`.execute(database);
  const done = await jobIn('done');
  expect(done).toMatchObject({ result: 'the second', epoch: 2 });
  await waitFor('the signal', () => job.signal.aborted);
  expect(job.signal.reason).toBeInstanceOf(LeaseLost);
  release.resolve();
  expect(await refused.promise).toBeInstanceOf(LeaseLost);
  expect(await database.selectFrom('pageViews').selectAll().where('slug', '=', 'zombie').execute()).toEqual([]);
  expect((await jobs())[0]).toEqual(done);
});

test('a job that takes too long fails, whether it handles the signal or not', async () => {
  const heard = Promise.withResolvers<string>();
  work({
    q: {
      timeoutMs: 30,
      handle: ({ signal }) => {
        signal.addEventListener('abort', () => heard.resolve((signal.reason as Error).name));
        return never();
      },
    },
  });
  await add({ maxAttempts: 1 });
  expect(await heard.promise).toBe('TimeoutError');
  expect(await jobIn('failed')).toMatchObject({ lastError: 'TimeoutError: it took more than 30 ms' });
});

test('a stopping worker lets jobs finish for a while, then releases the rest without counting an attempt', async () => {
  const release = Promise.withResolvers<void>();
  const patient = work({ finishes: { handle: () => release.promise } }, { finishMs: 60_000 });
  const hasty = work(
    {
      listens: {
        handle: ({ signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
    },
    { finishMs: 300 },
  );
  await add({ queue: 'finishes' });
  await add({ queue: 'listens' });
  await waitFor('both to run', async () => (await jobs()).every(({ state }) => state === 'running'));
  const stopped = patient.stop();
  await hasty.stop();
  release.resolve();
  await stopped;
  const [finishes, listens] = await jobs();
  expect(finishes).toMatchObject({ state: 'done', attempts: 1 });
  expect(listens).toMatchObject({ state: 'waiting', attempts: 0, epoch: 1, leaseUntil: null });
  work({ listens: { handle: async () => 'by another' } });
  await waitFor('another to do it', async () => (await jobs()).every(({ state }) => state === 'done'));
});

test('a periodic job that failed permanently runs again at its next period', async () => {
  let runs = 0;
  const handle = async () => {
    runs += 1;
    if (runs < 3) throw new PermanentJobFailure('not this time');
  };
  work({ clean: { every: 200, handle } }, { pollMs: 20 });
  await waitFor('a run that succeeds', async () => (await jobs()).some(({ state }) => state === 'done'));
  expect((await jobs()).slice(0, 3).map(({ state }) => state)).toEqual(['failed', 'failed', 'done']);
});

test('a periodic job runs once per period with any number of workers', async () => {
  let runs = 0;
  const handlers: JobHandlers = { clean: { every: 200, handle: async () => void runs++ } };
  work(handlers, { pollMs: 20 });
  work(handlers, { pollMs: 20 });
  await waitFor('four runs', () => runs >= 4);
  const due = (await jobs()).map(({ runAt }) => runAt.getTime());
  expect(due.length).toBeGreaterThanOrEqual(4);
  expect(new Set(due).size).toBe(due.length);
  expect((await jobs()).filter(({ state }) => state === 'waiting' || state === 'running').length).toBeLessThanOrEqual(
    1,
  );
});

test('a job whose lease expired under a live worker is no suspect', async () => {
  const aborted = ({ signal }: RunningJob) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  work({ q: { handle: aborted } }, { renewMs: 50, pollMs: 60_000 });
  await add();
  await jobIn('running');
  // In one transaction, because the worker could renew the lease between the two statements.
  const reclaimed = await inTransaction(database, async (transaction) => {
    await sql`UPDATE jobs SET lease_until = now() - interval '1 second'`.execute(transaction);
    return reclaimExpiredJobs(transaction, null);
  });
  expect(reclaimed).toMatchObject([{ state: 'waiting' }]);
  await waitFor('the loss to be taken back', async () => (await jobs()).every(({ losses }) => losses === 0));
});
