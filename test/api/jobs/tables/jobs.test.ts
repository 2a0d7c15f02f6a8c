import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  claimJobs,
  claimSuspectJob,
  deleteFinishedJobs,
  endJobAlone,
  failJob,
  finishJob,
  insertJob,
  type JobRow,
  lossesOfNextSuspect,
  queueDepths,
  reclaimExpiredJobs,
  releaseJobs,
  renewLeases,
  retractJobLosses,
  schedulePeriodicJobs,
} from '#api/jobs/tables/jobs.ts';
import { createDatabase, type Database, type Db } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';

let database: Database;
let url: string;
beforeAll(async () => {
  ({ database, url } = await usePostgres());
});
beforeEach(async () => {
  await database.deleteFrom('jobs').execute();
});

const add = async (fields: Partial<JobRow> = {}) =>
  (await insertJob(database, { queue: 'q', payload: {}, ...fields })) ?? expect.unreachable('the key is taken');
const claim = (places: Record<string, number> = { q: 10 }, db: Db = database) =>
  claimJobs(db, new Map(Object.entries(places)), { worker: 'worker', leaseMs: 8_000 });
const claimOne = async () => (await claim())[0] ?? expect.unreachable('there is no job');
const claimSuspect = async () =>
  (await claimSuspectJob(database, ['q'], { worker: 'worker', leaseMs: 8_000, alone: true })) ??
  expect.unreachable('there is no suspect');
const jobs = () => database.selectFrom('jobs').selectAll().orderBy('id').execute();
const expire = () =>
  sql`UPDATE jobs SET lease_until = now() - interval '1 ms' WHERE state = 'running'`.execute(database);
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b);

test('claims by priority, then by waiting time, with separate slots for each queue', async () => {
  const old = await add({ runAt: new Date(Date.now() - 60_000) });
  const young = await add();
  const urgent = await add({ priority: 5 });
  const other = await add({ queue: 'other' });
  await add({ priority: 9, runAt: new Date(Date.now() + 60_000) });
  expect(ids(await claim({ q: 1, other: 3 }))).toEqual([urgent, other]);
  expect(ids(await claim({ q: 1, none: 1 }))).toEqual([old]);
  expect(ids(await claim())).toEqual([young]);
  expect(await claim()).toEqual([]);
});

test('a job is claimed once by concurrent workers', async () => {
  const second = createDatabase({ url });
  const added: number[] = [];
  for (let count = 0; count < 60; count += 1) added.push(await add());
  const claims = await Promise.all(
    Array.from({ length: 16 }, (_, index) => claim({ q: 5 }, index % 2 === 0 ? database : second)),
  );
  const late = await claim({ q: 100 });
  await second.destroy();
  expect(ids([...claims.flat(), ...late])).toEqual(added);
});

test('one job of a key waits or runs; when it is done, another can be added', async () => {
  const first = await add({ key: 'k' });
  expect(await insertJob(database, { queue: 'q', payload: {}, key: 'k' })).toBeUndefined();
  await add({ queue: 'other', key: 'k' });
  const job = await claimOne();
  expect(job.id).toBe(first);
  expect(await insertJob(database, { queue: 'q', payload: {}, key: 'k' })).toBeUndefined();
  await finishJob(database, job, undefined);
  await add({ key: 'k' });
});

test('a worker that lost its lease cannot write a result, a failure or a renewal', async () => {
  await add();
  const lost = await claimOne();
  await expire();
  await reclaimExpiredJobs(database, null);
  const failure = { error: 'no', permanent: true, delayMs: 0 };
  const refused = async () => {
    expect(await renewLeases(database, [lost], 8_000)).toEqual([]);
    expect(await finishJob(database, lost, 'zombie')).toBe(false);
    expect(await failJob(database, lost, failure)).toBeUndefined();
    expect(await releaseJobs(database, [lost])).toEqual([]);
  };
  await refused();
  const holder = await claimSuspect();
  expect(holder).toMatchObject({ id: lost.id, epoch: lost.epoch + 1, attempts: 1 });
  await refused();
  expect(await renewLeases(database, [lost, holder], 8_000)).toEqual([
    { id: holder.id, epoch: holder.epoch, renewed: true },
  ]);
  expect(await finishJob(database, holder, { by: 'the holder' })).toBe(true);
  expect(await finishJob(database, holder, 'again')).toBe(false);
  expect((await jobs())[0]).toMatchObject({ state: 'done', result: { by: 'the holder' }, leaseUntil: null });
});

test('a lease whose job is being finished in a transaction is neither waited for nor lost', async () => {
  await add();
  const job = await claimOne();
  await database.transaction().execute(async (transaction) => {
    await finishJob(transaction, job, undefined);
    expect(await renewLeases(database, [job], 8_000)).toEqual([{ id: job.id, epoch: job.epoch, renewed: false }]);
  });
  expect(await renewLeases(database, [job], 8_000)).toEqual([]);
});

test('counts attempts, and fails the job at the last one; a released job does not count', async () => {
  await add({ maxAttempts: 2 });
  const failure = { error: 'no', permanent: false, delayMs: 0 };
  expect(await failJob(database, await claimOne(), failure)).toBe('waiting');
  expect(await releaseJobs(database, [await claimOne()])).toEqual(['q']);
  expect(await failJob(database, await claimOne(), failure)).toBe('failed');
  expect((await jobs())[0]).toMatchObject({ state: 'failed', attempts: 2, lastError: 'no' });

  await add();
  expect(await failJob(database, await claimOne(), { ...failure, permanent: true })).toBe('failed');
  await add();
  expect(await failJob(database, await claimOne(), { ...failure, delayMs: 60_000 })).toBe('waiting');
  expect(await claim()).toEqual([]);
});

test('limits the attempts of a job that kills its worker while it runs alone, not of one that shared the worker', async () => {
  const guilty = await add({ maxAttempts: 2 });
  const innocent = await add({ maxAttempts: 1 });
  expect(await claim({ q: 2 })).toHaveLength(2);
  await expire();
  await reclaimExpiredJobs(database, null);
  expect(await claim({ q: 2 })).toEqual([]);
  await sql`UPDATE jobs SET losses = 2 WHERE id = ${guilty}`.execute(database);
  for (const state of ['waiting', 'failed']) {
    expect((await claimSuspect()).id).toBe(guilty);
    await expire();
    expect(await reclaimExpiredJobs(database, null)).toEqual([{ id: guilty, queue: 'q', state }]);
  }
  expect(await reclaimExpiredJobs(database, null)).toEqual([]);
  const last = await claimSuspect();
  expect(last).toMatchObject({ id: innocent, attempts: 1 });
  await endJobAlone(database, last);
  await expire();
  expect(await reclaimExpiredJobs(database, null)).toMatchObject([{ state: 'waiting' }]);
});

test('reverts the loss of a job and the attempt of a suspect when its worker is alive after all', async () => {
  await add();
  const first = await claimOne();
  await expire();
  await reclaimExpiredJobs(database, null);
  await retractJobLosses(database, [{ ...first, alone: false, row: first }]);
  expect(await lossesOfNextSuspect(database, ['q'])).toBe(null);
  await claimOne();
  await expire();
  await reclaimExpiredJobs(database, null);
  const alone = await claimSuspect();
  await expire();
  await reclaimExpiredJobs(database, null);
  expect(await jobs()).toMatchObject([{ losses: 2, attempts: 1 }]);
  await retractJobLosses(database, [{ ...first, alone: false, row: first }]);
  expect(await jobs()).toMatchObject([{ losses: 2, attempts: 1 }]);
  await retractJobLosses(database, [{ ...alone, alone: true, row: alone }]);
  expect(await jobs()).toMatchObject([{ losses: 1, attempts: 0 }]);
});

test('leases that ended while PostgreSQL was unavailable do not count against their jobs', async () => {
  await add();
  await claimOne();
  await expire();
  await reclaimExpiredJobs(database, 0);
  expect(await lossesOfNextSuspect(database, ['q'])).toBe(null);
  expect(await claimOne()).toMatchObject({ attempts: 1, losses: 0 });
});

test('finds a due job without reading twenty thousand scheduled ones', async () => {
  await sql`
    INSERT INTO jobs (queue, payload, priority, run_at)
    SELECT 'q', '{}', n % 5, now() + n * interval '1 minute' FROM generate_series(1, 20000) AS n`.execute(database);
  await sql`ANALYZE jobs`.execute(database);
  const due = await add();
  await database.transaction().execute(async (transaction) => {
    expect(ids(await claim({ q: 10 }, transaction))).toEqual([due]);
    const { rows } = await sql<{ read: number }>`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'jobs'`.execute(
      transaction,
    );
    expect(rows[0]?.read).toBeLessThan(1_000); // including rows of earlier tests
  });
});

test('schedules periodic jobs once, at the multiples of their period', async () => {
  const hour = 3_600_000;
  const before = Date.now();
  await Promise.all([1, 2, 3].map(() => schedulePeriodicJobs(database, new Map([['clean', hour]]))));
  const [job, ...others] = await jobs();
  expect(others).toEqual([]);
  expect((job?.runAt.getTime() ?? 1) % hour).toBe(0);
  expect(job?.runAt.getTime()).toBeGreaterThan(before);
  await schedulePeriodicJobs(database, new Map([['clean', 1_000]]));
  expect((await jobs())[0]?.runAt.getTime()).toBeLessThan(Date.now() + 2_000);
});

test('deletes finished jobs after their time, and the depth of queues counts the rest', async () => {
  for (const state of ['done', 'failed'])
    for (const age of [1, 3, 5])
      await sql`INSERT INTO jobs (queue, payload, state, finished_at) VALUES ('q', '{}', ${state}, now() - ${age} * interval '1 hour')`.execute(
        database,
      );
  const hours = (count: number) => count * 3_600_000;
  expect(await deleteFinishedJobs(database, { doneMs: hours(2), failedMs: hours(4) }, 2)).toBe(2);
  expect(await deleteFinishedJobs(database, { doneMs: hours(2), failedMs: hours(4) }, 2)).toBe(1);
  expect(await deleteFinishedJobs(database, { doneMs: hours(2), failedMs: hours(4) }, 2)).toBe(0);
  await add({ runAt: new Date(Date.now() - 5_000) });
  await add({ runAt: new Date(Date.now() + 60_000) });
  await add({ queue: 'running' });
  await claim({ running: 1 });
  const [q, running] = await queueDepths(database);
  expect(q).toMatchObject({ queue: 'q', ready: 1, scheduled: 1, running: 0, done: 1, failed: 2 });
  expect(q?.oldestReadyMs).toBeGreaterThanOrEqual(4_900);
  expect(running).toEqual({
    queue: 'running',
    ready: 0,
    scheduled: 0,
    running: 1,
    done: 0,
    failed: 0,
    oldestReadyMs: 0,
  });
});
