import { type RawBuilder, sql } from 'kysely';
import { leaseUntil } from '#api/leases/lease-sql.ts';
import type { Db } from '#api/postgres/database.ts';
import { userMaySql } from '#api/sharing/conditions.ts';
import type { WorkflowError } from '../engine/contract/workflow-error.ts';
import type { JsonValue } from '../json-value.ts';
import { OPERATOR_LANE } from '../store/queue-position.ts';
import { DELIVERY, type Signalled } from '../store/signals.ts';
import type { WorkerTask } from '../tables/worker-tasks.ts';
import { type FoundTask, lostError, MAX_LOSSES } from './lease.ts';

/** A task in the form that the worker receives when it leases it. */
export interface LeasedTask
  extends Pick<
    WorkerTask,
    | 'id'
    | 'queue'
    | 'type'
    | 'name'
    | 'executionId'
    | 'workflowId'
    | 'step'
    | 'attempt'
    | 'idempotencyKey'
    | 'priority'
    | 'seq'
  > {
  readonly input: JsonValue;
  readonly fencingToken: number;
  /** Number of earlier leases that expired. */
  readonly losses: number;
  readonly leaseUntil: Date;
  /** When the timeout of the task ends it; null if it has no timeout. */
  readonly deadline: Date | null;
}

/** The account whose workers send the request. `userId` is undefined for the operator. */
export interface WorkerAccount {
  readonly userId: string | undefined;
}

export const laneOf = ({ userId }: WorkerAccount): string => userId ?? OPERATOR_LANE;

/**
 * SQL condition: the execution and the step still wait for a task (`t`). It reads their rows, so their end needs no
 * change of the task.
 */
const WANTED = sql<boolean>`(
  EXISTS (
    SELECT FROM executions AS e WHERE e.id = t.execution_id AND e.completed_at IS NULL AND e.cancel_requested_at IS NULL
  ) AND NOT EXISTS (
    SELECT FROM execution_steps AS s
    WHERE s.execution_id = t.execution_id AND s.step = t.step AND s.attempt = t.attempt AND s.ended_at IS NOT NULL
  )
)`;

/**
 * SQL condition: workers of the account may run a task (`t`). The account must own the workflow or be able to edit it.
 */
function mayWork(account: WorkerAccount): RawBuilder<boolean> {
  const me = sql`${account.userId ?? null}::uuid`;
  const unit = { kind: 'workflow', alias: 'workflows' } as const;
  return sql<boolean>`(t.lane = ${laneOf(account)}::uuid OR EXISTS (
    SELECT FROM workflows WHERE workflows.id = t.workflow_id AND ${userMaySql(me, 'work', unit)}
  ))`;
}

export interface NewWorkerTask
  extends Pick<
    WorkerTask,
    'id' | 'executionId' | 'step' | 'attempt' | 'workflowId' | 'queue' | 'type' | 'name' | 'idempotencyKey' | 'priority'
  > {
  /** JSON text. */
  readonly input: string;
  /** ISO 8601. */
  readonly deadline: string | null;
  readonly maxWaiting: number;
}

/**
 * Queues the task of a step. `known`: it is queued or has already ended. Its signal shows the latter even after its row
 * is deleted. `full`: the account has reached its maximum of waiting tasks.
 */
export async function insertTask(db: Db, task: NewWorkerTask): Promise<'queued' | 'known' | 'full'> {
  const { rows } = await sql<{ known: boolean; queued: boolean }>`/* prepared: insert-worker-task */
    WITH owner AS (
      SELECT coalesce((SELECT owner_id FROM workflows WHERE id = ${task.workflowId}), ${OPERATOR_LANE}::uuid) AS lane
    ),
    known AS (
      SELECT FROM worker_tasks WHERE execution_id = ${task.executionId} AND step = ${task.step} AND attempt = ${task.attempt}::int
      UNION ALL
      SELECT FROM execution_signals
      WHERE execution_id = ${task.executionId} AND kind = 'child' AND target = ${task.step} AND event_seq IS NULL AND attempt = ${task.attempt}::int
    ),
    queued AS (
      INSERT INTO worker_tasks (id, execution_id, step, attempt, workflow_id, lane, queue, type, name, idempotency_key, input, input_bytes, deadline, priority)
      SELECT ${task.id}, ${task.executionId}, ${task.step}, ${task.attempt}::int, ${task.workflowId}, owner.lane, ${task.queue}, ${task.type}, ${task.name},
        ${task.idempotencyKey}, ${task.input}::json, octet_length(${task.input}::text), ${task.deadline}::timestamptz, ${task.priority}::smallint
      FROM owner
      WHERE NOT EXISTS (SELECT FROM known) AND (
        SELECT count(*) FROM (
          SELECT FROM worker_tasks AS t WHERE t.status = 'waiting' AND t.lane = owner.lane LIMIT ${task.maxWaiting}
        ) AS waiting
      ) < ${task.maxWaiting}
      ON CONFLICT DO NOTHING RETURNING id
    )
    SELECT EXISTS (SELECT FROM known) AS known, EXISTS (SELECT FROM queued) AS queued`.execute(db);
  const { known = false, queued = false } = rows[0] ?? {};
  return queued ? 'queued' : known ? 'known' : 'full';
}

export interface TaskWish {
  readonly account: WorkerAccount;
  /** Workflows of other owners that the account may edit; see `grantedUnits`. */
  readonly granted: readonly string[];
  readonly queue: string;
  /** If undefined, all types. */
  readonly types: readonly string[] | undefined;
  readonly worker: string;
  readonly max: number;
  /** Maximum total input of the leased tasks. The first task may be larger. */
  readonly maxBytes: number;
  readonly leaseMs: number;
}

/** Leases waiting tasks of a queue, by priority, then in FIFO order. */
export async function leaseTasks(db: Db, wish: TaskWish): Promise<LeasedTask[]> {
  const { account, granted, queue, types, worker, max, maxBytes, leaseMs } = wish;
  const columns = sql`t.id, t.priority, t.seq, t.input_bytes`;
  const these = sql`t.status = 'waiting' AND t.queue = ${queue}
    AND (${types === undefined}::boolean OR t.type = ANY (${types ?? []}::text[])) AND ${WANTED}
    ORDER BY t.priority DESC, t.seq LIMIT ${max}::int FOR UPDATE OF t SKIP LOCKED`;
  const { rows } = await sql<LeasedTask>`/* prepared: lease-worker-tasks */
    WITH own AS MATERIALIZED (SELECT ${columns} FROM worker_tasks AS t WHERE t.lane = ${laneOf(account)}::uuid AND ${these}),
    granted AS MATERIALIZED (SELECT ${columns} FROM worker_tasks AS t WHERE t.workflow_id = ANY (${granted}::text[]) AND ${these}),
    chosen AS (
      SELECT id FROM (
        SELECT id, row_number() OVER ordered AS place, sum(input_bytes) OVER ordered AS bytes
        FROM (SELECT * FROM own UNION SELECT * FROM granted) AS locked
        WINDOW ordered AS (ORDER BY priority DESC, seq ROWS UNBOUNDED PRECEDING)
      ) AS ranked
      WHERE place <= ${max}::int AND (place = 1 OR bytes <= ${maxBytes}::bigint)
    )
    UPDATE worker_tasks AS t
    SET status = 'leased', epoch = t.epoch + 1, worker = ${worker}, lease_until = ${leaseUntil(leaseMs)}
    WHERE t.id = ANY (ARRAY(SELECT id FROM chosen)) AND t.status = 'waiting'
    RETURNING t.id, t.queue, t.type, t.name, t.execution_id, t.workflow_id, t.step, t.attempt, t.idempotency_key, t.priority, t.seq, t.input,
      t.epoch AS fencing_token, t.losses, t.lease_until, t.deadline`.execute(db);
  return rows.toSorted((a, b) => b.priority - a.priority || a.seq - b.seq);
}

export interface LeaseClaim {
  readonly account: WorkerAccount;
  readonly id: string;
  readonly token: number;
}

/** SQL condition: the row (`t`) of a claim with a valid lease. */
function held({ account, id, token }: LeaseClaim): RawBuilder<boolean> {
  return sql<boolean>`t.id = ${id} AND t.epoch = ${token}::int AND t.status = 'leased' AND t.lease_until > now() AND ${mayWork(account)} AND ${WANTED}`;
}

/** Extends a lease. Returns undefined if it is not valid. */
export async function extendTask(db: Db, claim: LeaseClaim, leaseMs: number): Promise<Date | undefined> {
  const { rows } = await sql<{ leaseUntil: Date }>`/* prepared: extend-worker-task */
    UPDATE worker_tasks AS t SET lease_until = ${leaseUntil(leaseMs)} WHERE ${held(claim)} RETURNING t.lease_until`.execute(
    db,
  );
  return rows[0]?.leaseUntil;
}

/** Requeues a task. Resolves to the name of its queue, or undefined if the lease is not valid. */
export async function releaseTask(db: Db, claim: LeaseClaim): Promise<string | undefined> {
  const { rows } = await sql<{ queue: string }>`/* prepared: release-worker-task */
    UPDATE worker_tasks AS t SET status = 'waiting', lease_until = NULL WHERE ${held(claim)} RETURNING t.queue`.execute(
    db,
  );
  return rows[0]?.queue;
}

/** Outcome that a worker reports for a task. */
export type TaskOutcome = { readonly output: JsonValue } | { readonly error: WorkflowError };

/**
 * Ends a task and signals its outcome to the execution, in one statement. Returns undefined if the lease is not valid.
 */
export async function endTask(db: Db, claim: LeaseClaim, outcome: TaskOutcome): Promise<Signalled[] | undefined> {
  const status = 'error' in outcome ? 'failed' : 'completed';
  const payload = JSON.stringify({ workerTask: claim.id, ...outcome });
  const { rows } = await sql<{ ended: boolean; signalled: Signalled[] }>`/* prepared: end-worker-task */
    WITH ended AS (
      UPDATE worker_tasks AS t SET status = ${status}, ended_at = now(), lease_until = NULL, input = NULL
      WHERE ${held(claim)}
      RETURNING t.execution_id, t.step, t.attempt
    ),
    fresh AS (
      SELECT execution_id, 'child' AS kind, step AS target, attempt, NULL::bigint AS event_seq, ${payload}::json AS payload FROM ended
    ),
    ${DELIVERY}
    SELECT EXISTS (SELECT FROM ended) AS ended, coalesce(
      (SELECT json_agg(json_build_object('id', id, 'held', status IN ('running', 'finalizing'))) FROM signalled), '[]'::json
    ) AS signalled`.execute(db);
  const [row] = rows;
  return row?.ended ? row.signalled : undefined;
}

/** Returns a task that workers of the account may run; undefined if it does not exist. */
export async function findTask(db: Db, account: WorkerAccount, id: string): Promise<FoundTask | undefined> {
  const { rows } = await sql<FoundTask>`/* prepared: find-worker-task */
    SELECT t.status, t.epoch, t.losses, coalesce(t.lease_until <= now(), false) AS expired, ${WANTED} AS wanted
    FROM worker_tasks AS t WHERE t.id = ${id} AND ${mayWork(account)}`.execute(db);
  return rows[0];
}

/** Cancels the open tasks of a step up to an attempt, after a timeout or an error in a parallel task ended it. */
export async function cancelTasksOfStep(
  db: Db,
  executionId: string,
  { step, attempt }: Pick<WorkerTask, 'step' | 'attempt'>,
): Promise<void> {
  await sql`
    UPDATE worker_tasks SET status = 'cancelled', ended_at = now(), lease_until = NULL, input = NULL
    WHERE execution_id = ${executionId} AND step = ${step} AND attempt <= ${attempt}::int AND status IN ('waiting', 'leased')`.execute(
    db,
  );
}

/**
 * Requeues tasks with an expired lease. Fails those that lost `MAX_LOSSES` leases, and signals the execution in the
 * same statement.
 */
export async function reclaimTasks(db: Db): Promise<{
  readonly reclaimed: readonly {
    readonly id: string;
    readonly queue: string;
    readonly worker: string;
    readonly failed: boolean;
  }[];
  readonly signalled: readonly Signalled[];
}> {
  const last = sql`t.losses + 1 >= ${MAX_LOSSES}`;
  const { rows } = await sql<Awaited<ReturnType<typeof reclaimTasks>>>`/* prepared: reclaim-worker-tasks */
    WITH reclaimed AS (
      UPDATE worker_tasks AS t
      SET status = CASE WHEN ${last} THEN 'failed' ELSE 'waiting' END, losses = t.losses + 1, lease_until = NULL,
        ended_at = CASE WHEN ${last} THEN now() END, input = CASE WHEN ${last} THEN NULL ELSE t.input END
      WHERE t.id = ANY (ARRAY(
        SELECT id FROM worker_tasks WHERE status = 'leased' AND lease_until < now() ORDER BY lease_until LIMIT 500 FOR UPDATE SKIP LOCKED
      ))
      RETURNING t.id, t.queue, t.worker, t.status = 'failed' AS failed, t.execution_id, t.step, t.attempt
    ),
    fresh AS (
      SELECT execution_id, 'child' AS kind, step AS target, attempt, NULL::bigint AS event_seq,
        json_build_object('workerTask', id, 'error', ${JSON.stringify(lostError())}::json) AS payload
      FROM reclaimed WHERE failed
    ),
    ${DELIVERY}
    SELECT
      coalesce((SELECT json_agg(json_build_object('id', id, 'queue', queue, 'worker', worker, 'failed', failed)) FROM reclaimed), '[]'::json)
        AS reclaimed,
      coalesce((SELECT json_agg(json_build_object('id', id, 'held', status IN ('running', 'finalizing'))) FROM signalled), '[]'::json)
        AS signalled`.execute(db);
  return rows[0] ?? { reclaimed: [], signalled: [] };
}

/** How long an ended task is kept, so a worker that repeats its request receives the same response. */
const KEEP_ENDED_MINUTES = 10;
/** How long an inactive worker is listed. */
const KEEP_WORKERS_HOURS = 24;

/**
 * Ends tasks that are no longer needed. Reads all open tasks. It is only cleanup, because workers never receive such
 * tasks.
 */
export async function cancelUnwantedTasks(db: Db): Promise<void> {
  await sql`/* prepared: cancel-unwanted-worker-tasks */
    UPDATE worker_tasks SET status = 'cancelled', ended_at = now(), lease_until = NULL, input = NULL
    WHERE id = ANY (ARRAY(
      SELECT t.id FROM worker_tasks AS t WHERE t.status IN ('waiting', 'leased') AND NOT ${WANTED} LIMIT 1000 FOR UPDATE OF t SKIP LOCKED
    ))`.execute(db);
}

/** Deletes ended tasks and inactive workers. Each part is bounded; the next call continues. */
export async function deleteOldTasks(db: Db): Promise<void> {
  await sql`/* prepared: delete-ended-worker-tasks */
    DELETE FROM worker_tasks WHERE id = ANY (ARRAY(
      SELECT id FROM worker_tasks WHERE ended_at < now() - ${KEEP_ENDED_MINUTES} * interval '1 minute' ORDER BY ended_at LIMIT 10000 FOR UPDATE SKIP LOCKED
    ))`.execute(db);
  await sql`/* prepared: delete-workers-seen */
    DELETE FROM workers_seen WHERE last_seen_at < now() - ${KEEP_WORKERS_HOURS} * interval '1 hour'`.execute(db);
}

/** Records that a worker has requested tasks of a queue. */
export async function noteWorker(db: Db, account: WorkerAccount, queue: string, worker: string): Promise<void> {
  await sql`/* prepared: note-worker */
    INSERT INTO workers_seen (lane, queue, worker) VALUES (${laneOf(account)}::uuid, ${queue}, ${worker})
    ON CONFLICT (lane, queue, worker) DO UPDATE SET last_seen_at = now()`.execute(db);
}
