import { type ColumnType, type Generated, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    jobs: JobsTable;
  }
}

/** `waiting` → `running` → `done` or `failed`; back to `waiting` for another try, or when a lease ends. */
export type JobState = 'waiting' | 'running' | 'done' | 'failed';

/** Work that a worker process does: claimed by a lease, guarded by an epoch. */
export interface JobsTable {
  id: Generated<number>;
  /** The kind of work; names the handler. */
  queue: string;
  payload: ColumnType<unknown, string, never>;
  /** Of two jobs of a queue with the same key only one is taken while the first is neither done nor failed. */
  key: string | null;
  state: Generated<JobState>;
  /** Greater ones first. */
  priority: Generated<number>;
  /** Not before. */
  runAt: Generated<Date>;
  attempts: Generated<number>;
  maxAttempts: Generated<number>;
  /** Raised with every claim: a worker that lost its lease can't write any more. */
  epoch: Generated<number>;
  worker: Generated<string | null>;
  leaseUntil: Generated<Date | null>;
  lastError: Generated<string | null>;
  result: ColumnType<unknown, string | null | undefined, string | null>;
  requestId: Generated<string | null>;
  /** Workers that died while they held it, since its last outcome. Above 0 it is a suspect: see `jobs/isolation.ts`. */
  losses: Generated<number>;
  /** Its worker holds no other job. */
  alone: Generated<boolean>;
  createdAt: Generated<Date>;
  finishedAt: Generated<Date | null>;
}

export type Job = Selectable<JobsTable>;

/** What a claim is known by: whoever has neither the one nor the other right writes nothing. */
export interface Claim {
  readonly id: number;
  readonly epoch: number;
}

export type ClaimedJob = Pick<
  Job,
  'id' | 'queue' | 'payload' | 'attempts' | 'maxAttempts' | 'epoch' | 'requestId' | 'losses'
>;

/** The columns keep milliseconds, rounded: what was added at `now()` may be due a little after it, and a worker woken at once would not find it. */
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

/** Resolves to the id; undefined when a job of the queue with that key waits or runs. */
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
      conflict
        .columns(['queue', 'key'])

        .where(sql<boolean>`state IN ('waiting', 'running')`)

        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Takes up to `places` jobs of each queue that are due, by priority and then by age; suspects are left to `claimSuspectJob`. Every priority is looked up by itself: within one the index is in the
 * order of time, so those that are due come first and the many that are not are never read.
 */
export async function claimJobs(
  db: Db,
  places: ReadonlyMap<string, number>,
  worker: string,
  leaseMs: number,
): Promise<ClaimedJob[]> {
  const { rows } = await sql<ClaimedJob>`
    UPDATE jobs
    SET state = 'running', epoch = jobs.epoch + 1, attempts = jobs.attempts + 1, worker = ${worker}, alone = false,
        lease_until = now() + ${leaseMs} * interval '1 millisecond'
    FROM unnest(${[...places.keys()]}::text[], ${[...places.values()]}::int[]) AS wanted (queue, places)
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
        ORDER BY run_at, id LIMIT wanted.places FOR UPDATE SKIP LOCKED
      ) AS due
      LIMIT wanted.places
    ) AS chosen
    WHERE jobs.id = chosen.id
    RETURNING ${CLAIMED}`.execute(db);
  return rows;
}

const CLAIMED = sql.raw(
  'jobs.id, jobs.queue, jobs.payload, jobs.attempts, jobs.max_attempts, jobs.epoch, jobs.request_id, jobs.losses',
);

/** Takes the job that lost its worker most often; undefined: none is due. `alone`: the worker holds no other job before `endJobAlone`. */
export async function claimSuspectJob(
  db: Db,
  {
    queues,
    worker,
    leaseMs,
    alone,
  }: {
    readonly queues: readonly string[];
    readonly worker: string;
    readonly leaseMs: number;
    readonly alone: boolean;
  },
): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<ClaimedJob>`
    UPDATE jobs
    SET state = 'running', epoch = jobs.epoch + 1, attempts = jobs.attempts + 1, worker = ${worker}, alone = ${alone},
        lease_until = now() + ${leaseMs} * interval '1 millisecond'
    WHERE id = (${nextSuspect(queues, sql`id`)} FOR UPDATE SKIP LOCKED)
    RETURNING ${CLAIMED}`.execute(db);
  return rows[0];
}

/** How often the suspect that is next has lost its worker; null: none is due. */
export async function lossesOfNextSuspect(db: Db, queues: readonly string[]): Promise<number | null> {
  const { rows } = await sql<{ losses: number }>`${nextSuspect(queues, sql`losses`)}`.execute(db);
  return rows[0]?.losses ?? null;
}

function nextSuspect(queues: readonly string[], column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT ${column} FROM jobs WHERE state = 'waiting' AND losses > 0 AND run_at <= ${NOW} AND queue = ANY (${queues}::text[])
    ORDER BY losses DESC, run_at LIMIT 1`;
}

/** From now on the worker may hold other jobs beside this one. */
export async function endJobAlone(db: Db, claim: Claim): Promise<void> {
  await sql`UPDATE jobs SET alone = false FROM ${held([claim])}`.execute(db);
}

/**
 * Holds the leases for another while. Resolves to those that are still held; one whose row is locked, by the transaction that finishes it, is
 * held but was not renewed.
 */
export async function renewLeases(
  db: Db,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<(Claim & { readonly renewed: boolean })[]> {
  const { rows } = await sql<Claim & { readonly renewed: boolean }>`
    WITH mine AS (SELECT jobs.id, jobs.epoch FROM jobs CROSS JOIN ${held(claims)}),
    free AS (SELECT id FROM jobs WHERE id IN (SELECT id FROM mine) FOR UPDATE SKIP LOCKED),
    renewed AS (
      UPDATE jobs SET lease_until = now() + ${leaseMs} * interval '1 millisecond'
      FROM ${held(claims)} AND jobs.id IN (SELECT id FROM free)
      RETURNING jobs.id
    )
    SELECT mine.id, mine.epoch, renewed.id IS NOT NULL AS renewed FROM mine LEFT JOIN renewed ON renewed.id = mine.id`.execute(
    db,
  );
  return rows;
}

/** True when it was ours to finish. */
export async function finishJob(db: Db, claim: Claim, result: unknown): Promise<boolean> {
  const { rows } = await sql`
    UPDATE jobs
    SET state = 'done', lease_until = NULL, result = ${JSON.stringify(result ?? null)}::jsonb, last_error = NULL, finished_at = now()
    FROM ${held([claim])} RETURNING jobs.id`.execute(db);
  return rows.length > 0;
}

/** Another try after `delayMs`, or none when they are used up or it is `permanent`. Resolves to the new state; undefined when it was not ours. */
export async function failJob(
  db: Db,
  claim: Claim,
  failure: { readonly error: string; readonly permanent: boolean; readonly delayMs: number },
): Promise<JobState | undefined> {
  const last = sql`(${failure.permanent}::boolean OR attempts >= max_attempts)`;
  const { rows } = await sql<{ state: JobState }>`
    UPDATE jobs
    SET state = CASE WHEN ${last} THEN 'failed' ELSE 'waiting' END, lease_until = NULL, losses = 0, alone = false, last_error = ${failure.error},
        finished_at = CASE WHEN ${last} THEN now() END,
        run_at = CASE WHEN ${last} THEN run_at ELSE now() + ${failure.delayMs} * interval '1 millisecond' END
    FROM ${held([claim])} RETURNING jobs.state`.execute(db);
  return rows[0]?.state;
}

/** Gives back what a worker that stops did not get done; the try does not count. Resolves to the queues that have work again. */
export async function handBackJobs(db: Db, claims: readonly Claim[]): Promise<string[]> {
  const { rows } = await sql<{ queue: string }>`
    UPDATE jobs SET state = 'waiting', lease_until = NULL, alone = false, attempts = attempts - 1, run_at = now()
    FROM ${held(claims)} RETURNING jobs.queue`.execute(db);
  return [...new Set(rows.map(({ queue }) => queue))];
}

/**
 * Hands on the jobs whose worker renewed no lease. The try counts when the worker held no other job, so that a job which ends its worker fails in the end and
 * those beside it do not. `unavailableMsAgo`: leases that ended longer ago say nothing about their jobs; null: all do.
 */
export async function handOnExpiredJobs(
  db: Db,
  unavailableMsAgo: number | null,
): Promise<{ id: number; queue: string; state: JobState }[]> {
  const counted = sql`(lease_until >= now() - ${unavailableMsAgo}::float8 * interval '1 millisecond') IS NOT FALSE`;
  const last = sql`(alone AND ${counted} AND attempts >= max_attempts)`;
  const { rows } = await sql<{ id: number; queue: string; state: JobState }>`
    UPDATE jobs
    SET state = CASE WHEN ${last} THEN 'failed' ELSE 'waiting' END, lease_until = NULL, alone = false, run_at = now(),
        losses = losses + CASE WHEN ${counted} THEN 1 ELSE 0 END, attempts = attempts - CASE WHEN alone AND ${counted} THEN 0 ELSE 1 END,
        last_error = 'the process that ran the job ended', finished_at = CASE WHEN ${last} THEN now() END
    WHERE id IN (
      SELECT id FROM jobs WHERE state = 'running' AND lease_until < now() ORDER BY lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED
    )
    RETURNING id, queue, state`.execute(db);
  return rows;
}

/**
 * Makes sure that each of these queues has its next job, at the next multiple of its period on the database's clock. A period that became
 * shorter counts from now on.
 */
export async function schedulePeriodicJobs(db: Db, periods: ReadonlyMap<string, number>): Promise<void> {
  await sql`
    INSERT INTO jobs (queue, payload, key, run_at)
    SELECT queue, 'null', 'periodic', to_timestamp((floor(extract(epoch FROM now()) * 1000 / every) + 1) * every / 1000)
    FROM unnest(${[...periods.keys()]}::text[], ${[...periods.values()]}::bigint[]) AS period (queue, every)
    ON CONFLICT (queue, key) WHERE state IN ('waiting', 'running') DO UPDATE SET run_at = excluded.run_at
    WHERE jobs.state = 'waiting' AND jobs.attempts = 0 AND excluded.run_at < jobs.run_at`.execute(db);
}

/** Deletes up to `limit` jobs that were done, or failed, longer ago than that. Resolves to how many there were. */
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
  /** Due, and not begun. */
  readonly ready: number;
  /** Wait for their time: parked, or for another try. */
  readonly scheduled: number;
  readonly running: number;
  /** In the last 24 hours. */
  readonly done: number;
  readonly failed: number;
  /** How long the oldest of those that are due has waited, ms; 0 when there is none. */
  readonly oldestReadyMs: number;
}

/** What is to be done, and what was, by queue. */
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

/** The rows of claims that still hold, for `UPDATE jobs … FROM`: of another epoch, or not running, is not ours any more. */
function held(claims: readonly Claim[]) {
  const ids = claims.map(({ id }) => id);
  const epochs = claims.map(({ epoch }) => epoch);
  return sql`unnest(${ids}::bigint[], ${epochs}::int[]) AS claim (claimed, claim_epoch)
    WHERE jobs.id = claimed AND jobs.epoch = claim_epoch AND jobs.state = 'running'`;
}
