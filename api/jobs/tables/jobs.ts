import { type ColumnType, type Generated, type RawBuilder, type Selectable, sql } from 'kysely';
import {
  claimRows,
  expired,
  type LostLease,
  leaseUntil,
  lostLeaseRows,
  RELEASED,
  workerDied,
} from '#api/leases/lease-sql.ts';
import type { Claim } from '#api/leases/port.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    jobs: JobsTable;
  }
}

/** `waiting` → `running` → `done` or `failed`; back to `waiting` for a retry, or when a lease is released or expires. */
export type JobState = 'waiting' | 'running' | 'done' | 'failed';

/** Jobs of worker processes: see `api/leases`. */
export interface JobsTable {
  id: Generated<number>;
  /** Kind of work; selects the handler. */
  queue: string;
  payload: ColumnType<unknown, string, never>;
  /** A queue has at most one waiting or running job per key. */
  key: string | null;
  state: Generated<JobState>;
  /** Jobs with a higher priority run first. */
  priority: Generated<number>;
  /** Earliest start time. */
  runAt: Generated<Date>;
  attempts: Generated<number>;
  maxAttempts: Generated<number>;
  /** Fencing token: raised by each claim. A worker that lost its lease cannot write. */
  epoch: Generated<number>;
  worker: Generated<string | null>;
  leaseUntil: Generated<Date | null>;
  lastError: Generated<string | null>;
  result: ColumnType<unknown, string | null | undefined, string | null>;
  requestId: Generated<string | null>;
  /**
   * Number of workers that died while they leased it, since its last outcome. Above 0, it is a suspect: see
   * `leases/isolation.ts`.
   */
  losses: Generated<number>;
  /** True if its worker leases nothing else. */
  alone: Generated<boolean>;
  createdAt: Generated<Date>;
  finishedAt: Generated<Date | null>;
}

export type Job = Selectable<JobsTable>;

export type JobClaim = Claim<number>;

export type ClaimedJob = Pick<
  Job,
  'id' | 'queue' | 'payload' | 'attempts' | 'maxAttempts' | 'epoch' | 'requestId' | 'losses'
>;

/**
 * The columns are rounded to milliseconds, so a job added at `now()` may become due slightly later. This rounding lets
 * a worker that is woken immediately find it.
 */
const NOW = sql`now()::timestamptz(3)`;

export interface JobRow {
  readonly queue: string;
  readonly payload: unknown;
  readonly key?: string | undefined;
  readonly priority?: number | undefined;
  readonly runAt?: Date | undefined;
  readonly maxAttempts?: number | undefined;
  readonly requestId?: string | undefined;
}

/**
 * Inserts a job and resolves to its id. Resolves to undefined if the queue has a waiting or running job with that key.
 */
export async function insertJob(db: Db, job: JobRow): Promise<number | undefined> {
  const { queue, payload, key, priority, runAt, maxAttempts, requestId } = job;
  const row = await db
    .insertInto('jobs')
    .values({
      queue,
      payload: JSON.stringify(payload ?? null),
      key: key ?? null,
      requestId: requestId ?? null,
      ...(priority === undefined ? {} : { priority }),
      ...(runAt === undefined ? {} : { runAt }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    })
    .onConflict((conflict) =>
      conflict.columns(['queue', 'key']).where(sql<boolean>`state IN ('waiting', 'running')`).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Claims due jobs of each queue, up to its number of slots, by priority and then by age. Suspects are left to
 * `claimSuspectJob`. Each priority is queried separately: within one priority, the index is ordered by time, so jobs
 * that are not due are never read.
 */
export async function claimJobs(db: Db, slots: ReadonlyMap<string, number>, by: JobClaimant): Promise<ClaimedJob[]> {
  const { rows } = await sql<ClaimedJob>`
    ${take(by, false)}
    FROM unnest(${[...slots.keys()]}::text[], ${[...slots.values()]}::int[]) AS wanted (queue, slots)
    CROSS JOIN LATERAL (
      WITH RECURSIVE priorities AS (
        SELECT max(priority) AS priority FROM jobs WHERE queue = wanted.queue AND state = 'waiting'
        UNION ALL
        SELECT (
          SELECT max(lower.priority) FROM jobs AS lower
          WHERE lower.queue = wanted.queue AND lower.state = 'waiting' AND lower.priority < priorities.priority
        )
        FROM priorities WHERE priorities.priority IS NOT NULL
      )
      SELECT due.id FROM priorities CROSS JOIN LATERAL (
        SELECT id FROM jobs
        WHERE queue = wanted.queue AND state = 'waiting' AND losses = 0 AND priority = priorities.priority AND run_at <= ${NOW}
        ORDER BY run_at, id LIMIT wanted.slots FOR UPDATE SKIP LOCKED
      ) AS due
      LIMIT wanted.slots
    ) AS chosen
    WHERE jobs.id = chosen.id
    RETURNING ${CLAIMED}`.execute(db);
  return rows;
}

const CLAIMED = sql.raw(
  'jobs.id, jobs.queue, jobs.payload, jobs.attempts, jobs.max_attempts, jobs.epoch, jobs.request_id, jobs.losses',
);

export interface JobClaimant {
  readonly worker: string;
  readonly leaseMs: number;
}

const take = ({ worker, leaseMs }: JobClaimant, alone: boolean) => sql`
  UPDATE jobs
  SET state = 'running', epoch = jobs.epoch + 1, attempts = jobs.attempts + 1, worker = ${worker}, alone = ${alone},
      lease_until = ${leaseUntil(leaseMs)}`;

/**
 * Claims the due suspect with the most losses, or resolves to undefined. `alone`: the worker leases nothing else until
 * `endJobAlone`.
 */
export async function claimSuspectJob(
  db: Db,
  queues: readonly string[],
  { alone, ...by }: JobClaimant & { readonly alone: boolean },
): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<ClaimedJob>`
    ${take(by, alone)}
    WHERE id = (${nextSuspect(queues, sql`id`)} FOR UPDATE SKIP LOCKED)
    RETURNING ${CLAIMED}`.execute(db);
  return rows[0];
}

/** Returns the number of losses of the next suspect; null if no suspect is due. */
export async function lossesOfNextSuspect(db: Db, queues: readonly string[]): Promise<number | null> {
  const { rows } = await sql<{ losses: number }>`${nextSuspect(queues, sql`losses`)}`.execute(db);
  return rows[0]?.losses ?? null;
}

function nextSuspect(queues: readonly string[], column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT ${column} FROM jobs WHERE state = 'waiting' AND losses > 0 AND run_at <= ${NOW} AND queue = ANY (${queues}::text[])
    ORDER BY losses DESC, run_at LIMIT 1`;
}

/** Ends exclusive execution, so the worker may claim other work. */
export async function endJobAlone(db: Db, claim: JobClaim): Promise<void> {
  await sql`UPDATE jobs SET alone = false FROM ${held([claim])}`.execute(db);
}

/**
 * Renews leases. Resolves to the valid ones. A lease whose row is locked by the transaction that finishes it is valid
 * but not renewed.
 */
export async function renewLeases(
  db: Db,
  claims: readonly JobClaim[],
  leaseMs: number,
): Promise<(JobClaim & { readonly renewed: boolean })[]> {
  const { rows } = await sql<JobClaim & { readonly renewed: boolean }>`
    WITH mine AS (SELECT jobs.id, jobs.epoch FROM jobs CROSS JOIN ${held(claims)}),
    free AS (SELECT id FROM jobs WHERE id IN (SELECT id FROM mine) FOR UPDATE SKIP LOCKED),
    renewed AS (
      UPDATE jobs SET lease_until = ${leaseUntil(leaseMs)}
      FROM ${held(claims)} AND jobs.id IN (SELECT id FROM free)
      RETURNING jobs.id
    )
    SELECT mine.id, mine.epoch, renewed.id IS NOT NULL AS renewed FROM mine LEFT JOIN renewed ON renewed.id = mine.id`.execute(
    db,
  );
  return rows;
}

/** Returns false if another worker has the job. */
export async function finishJob(db: Db, claim: JobClaim, result: unknown): Promise<boolean> {
  const { rows } = await sql`
    UPDATE jobs
    SET state = 'done', lease_until = NULL, result = ${JSON.stringify(result ?? null)}::jsonb, last_error = NULL, finished_at = now()
    FROM ${held([claim])} RETURNING jobs.id`.execute(db);
  return rows.length > 0;
}

/**
 * Schedules a retry after `delayMs`, unless no tries are left or the failure is `permanent`. Resolves to the new state,
 * or to undefined if another worker has the job.
 */
export async function failJob(
  db: Db,
  claim: JobClaim,
  failure: { readonly error: string; readonly permanent: boolean; readonly delayMs: number },
): Promise<JobState | undefined> {
  const last = sql`(${failure.permanent}::boolean OR attempts >= max_attempts)`;
  const { rows } = await sql<{ state: JobState }>`
    UPDATE jobs
    SET state = CASE WHEN ${last} THEN 'failed' ELSE 'waiting' END, ${RELEASED}, losses = 0, last_error = ${failure.error},
        finished_at = CASE WHEN ${last} THEN now() END,
        run_at = CASE WHEN ${last} THEN run_at ELSE now() + ${failure.delayMs} * interval '1 millisecond' END
    FROM ${held([claim])} RETURNING jobs.state`.execute(db);
  return rows[0]?.state;
}

/** Releases the leases of a worker that stops. The try does not count. Resolves to the queues of the jobs. */
export async function releaseJobs(db: Db, claims: readonly JobClaim[]): Promise<string[]> {
  const { rows } = await sql<{ queue: string }>`
    UPDATE jobs SET state = 'waiting', ${RELEASED}, attempts = attempts - 1, run_at = now()
    FROM ${held(claims)} RETURNING jobs.queue`.execute(db);
  return [...new Set(rows.map(({ queue }) => queue))];
}

/**
 * Makes jobs with an expired lease due again. The try counts only if the worker leased nothing else. So a job that ends
 * its workers fails, and the jobs next to it do not. `unavailableMsAgo`: see `workerDied`.
 */
export async function reclaimExpiredJobs(
  db: Db,
  unavailableMsAgo: number | null,
): Promise<{ id: number; queue: string; state: JobState }[]> {
  const died = workerDied(unavailableMsAgo);
  const last = sql`(alone AND ${died} AND attempts >= max_attempts)`;
  const { rows } = await sql<{ id: number; queue: string; state: JobState }>`
    UPDATE jobs
    SET state = CASE WHEN ${last} THEN 'failed' ELSE 'waiting' END, ${expired(died)}, run_at = now(),
        attempts = attempts - CASE WHEN alone AND ${died} THEN 0 ELSE 1 END,
        last_error = 'the process that ran the job ended', finished_at = CASE WHEN ${last} THEN now() END
    WHERE id IN (
      SELECT id FROM jobs WHERE state = 'running' AND lease_until < now() ORDER BY lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED
    )
    RETURNING id, queue, state`.execute(db);
  return rows;
}

/**
 * Reverts the losses that `reclaimExpiredJobs` counted for these leases, unless another worker has claimed the job
 * since.
 */
export async function retractJobLosses(db: Db, leases: readonly LostLease[]): Promise<void> {
  await sql`
    UPDATE jobs
    SET losses = jobs.losses - 1, attempts = attempts - CASE WHEN claim.alone AND attempts > 0 THEN 1 ELSE 0 END
    FROM ${lostLeaseRows(leases, 'bigint')}
    WHERE jobs.id = claim.id AND jobs.epoch = claim.epoch
      AND state = 'waiting' AND lease_until IS NULL AND jobs.losses > claim.losses`.execute(db);
}

/**
 * Adds the next job of each of these queues, at the next multiple of its period by the clock of PostgreSQL. A shorter
 * period applies immediately.
 */
export async function schedulePeriodicJobs(db: Db, periods: ReadonlyMap<string, number>): Promise<void> {
  await sql`
    INSERT INTO jobs (queue, payload, key, run_at)
    SELECT queue, 'null', 'periodic', to_timestamp((floor(extract(epoch FROM now()) * 1000 / every) + 1) * every / 1000)
    FROM unnest(${[...periods.keys()]}::text[], ${[...periods.values()]}::bigint[]) AS period (queue, every)
    ON CONFLICT (queue, key) WHERE state IN ('waiting', 'running') DO UPDATE SET run_at = excluded.run_at
    WHERE jobs.state = 'waiting' AND jobs.attempts = 0 AND excluded.run_at < jobs.run_at`.execute(db);
}

/** Deletes up to `limit` jobs that finished before the given age. Resolves to their number. */
export async function deleteFinishedJobs(
  db: Db,
  keep: { readonly doneMs: number; readonly failedMs: number },
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM jobs WHERE id IN (
      SELECT id FROM jobs
      WHERE state IN ('done', 'failed') AND finished_at < now() - ${Math.min(keep.doneMs, keep.failedMs)} * interval '1 millisecond'
        AND finished_at < now() - CASE state WHEN 'done' THEN ${keep.doneMs}::float8 ELSE ${keep.failedMs}::float8 END * interval '1 millisecond'
      ORDER BY finished_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`.execute(db);
  return Number(numAffectedRows);
}

export interface QueueDepth {
  readonly queue: string;
  /** Due and not claimed. */
  readonly ready: number;
  /** Not due yet: scheduled, or waiting for a retry. */
  readonly scheduled: number;
  readonly running: number;
  /** In the last 24 hours. */
  readonly done: number;
  readonly failed: number;
  /** How long the oldest due job has waited, in ms; 0 if no job is due. */
  readonly oldestReadyMs: number;
}

/** Returns open and finished jobs by queue. */
export async function queueDepths(db: Db): Promise<QueueDepth[]> {
  const { rows } = await sql<QueueDepth>`
    SELECT queue,
      count(*) FILTER (WHERE state = 'waiting' AND run_at <= ${NOW}) AS ready,
      count(*) FILTER (WHERE state = 'waiting' AND run_at > ${NOW}) AS scheduled,
      count(*) FILTER (WHERE state = 'running') AS running,
      count(*) FILTER (WHERE state = 'done') AS done,
      count(*) FILTER (WHERE state = 'failed') AS failed,
      coalesce(round(extract(epoch FROM now() - min(run_at) FILTER (WHERE state = 'waiting' AND run_at <= ${NOW})) * 1000), 0)::bigint
        AS oldest_ready_ms
    FROM jobs
    WHERE state IN ('waiting', 'running') OR (state IN ('done', 'failed') AND finished_at > now() - interval '24 hours')
    GROUP BY queue ORDER BY queue`.execute(db);
  return rows;
}

/** SQL: the rows of valid claims, for `UPDATE jobs … FROM`. */
function held(claims: readonly JobClaim[]) {
  return sql`${claimRows(claims, 'bigint')} WHERE jobs.id = claim.id AND jobs.epoch = claim.epoch AND jobs.state = 'running'`;
}
