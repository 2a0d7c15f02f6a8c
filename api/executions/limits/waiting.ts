import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

/** Why an execution has not begun: its workflow is paused, one of its limits, or a concurrency key of the caller. */
export const WAIT_REASONS = ['paused', 'debounce', 'batch', 'concurrency', 'throttle', 'concurrency-key'] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

export interface WaitingStart {
  readonly reason: WaitReason;
  /** Key of the limit, as JSON text or a hash. Null if it has no key. */
  readonly key: string | null;
  /** Number of earlier starts in the same queue, up to `MAX_AHEAD`. */
  readonly ahead: number;
  /** Earliest time at which it can begin, if known. */
  readonly until: Date | null;
  /** Number of starts merged into it. */
  readonly merged: number;
}

export const MAX_AHEAD = 1_000;

/** SQL expression of the wait reason. `a`: the row of the admission; `w`: its workflow. */
const reason = sql`CASE WHEN w.paused_at IS NOT NULL THEN 'paused' WHEN a.not_before > now() THEN a.gathers
  WHEN a.slot_key <> '' AND a.retry_at IS NULL AND EXISTS (
    SELECT FROM execution_admissions AS h
    WHERE h.workflow_id = a.workflow_id AND h.slot_key = a.slot_key AND h.admitted_at IS NOT NULL AND h.released_at IS NULL
  ) THEN 'concurrency' WHEN a.rate_key <> '' THEN 'throttle' ELSE 'concurrency' END`;

/** Returns what a `created` execution waits for, or undefined for any other execution. */
export async function findWaiting(db: Db, executionId: string): Promise<WaitingStart | undefined> {
  const { rows } = await sql<WaitingStart>`
    SELECT CASE WHEN a.execution_id IS NULL OR a.admitted_at IS NOT NULL THEN 'concurrency-key' ELSE ${reason} END AS reason,
      CASE WHEN a.execution_id IS NULL OR a.admitted_at IS NOT NULL THEN NULL
        ELSE nullif(nullif(CASE WHEN a.slot_key <> '' THEN a.slot_key ELSE a.rate_key END, ''), 'all') END AS key,
      coalesce((SELECT count(*) FROM (
        SELECT FROM execution_admissions AS b
        WHERE b.workflow_id = a.workflow_id AND b.slot_key = a.slot_key AND b.rate_key = a.rate_key
          AND b.admitted_at IS NULL AND b.released_at IS NULL AND (b.priority > a.priority OR (b.priority = a.priority AND b.seq < a.seq))
        LIMIT ${MAX_AHEAD}
      ) AS before), 0) AS ahead,
      CASE WHEN w.paused_at IS NULL THEN a.retry_at END AS until, coalesce(a.merged, 0) AS merged
    FROM executions AS e LEFT JOIN execution_admissions AS a ON a.execution_id = e.id LEFT JOIN workflows AS w ON w.id = e.workflow_id
    WHERE e.id = ${executionId} AND e.status = 'created'`.execute(db);
  return rows[0];
}

export interface LimitQueue {
  readonly reason: WaitReason;
  readonly key: string | null;
  readonly holding: number;
  readonly waiting: number;
  readonly oldest: Date;
  readonly until: Date | null;
}

export interface LimitState {
  /** Number of executions that hold a slot. */
  readonly holding: number;
  /** Number of waiting starts, up to `MAX_COUNTED`. */
  readonly waiting: number;
  /** Longest queues first. */
  readonly queues: readonly LimitQueue[];
}

export const MAX_COUNTED = 10_000;
const MAX_QUEUES = 20;

/** Returns the current state of the limits of a workflow. */
export async function limitState(db: Db, workflowId: string): Promise<LimitState> {
  const { rows } = await sql<LimitQueue>`
    WITH waiting AS (
      SELECT * FROM execution_admissions WHERE workflow_id = ${workflowId} AND admitted_at IS NULL AND released_at IS NULL LIMIT ${MAX_COUNTED}
    ),
    named AS (SELECT a.*, ${reason} AS reason FROM waiting AS a LEFT JOIN workflows AS w ON w.id = a.workflow_id)
    SELECT reason, nullif(nullif(CASE WHEN slot_key <> '' THEN slot_key ELSE rate_key END, ''), 'all') AS key, count(*) AS waiting,
      min(created_at) AS oldest, min(retry_at) FILTER (WHERE reason <> 'paused') AS until,
      (SELECT count(*) FROM execution_admissions AS h WHERE h.workflow_id = ${workflowId} AND h.slot_key = named.slot_key
        AND h.slot_key <> '' AND h.admitted_at IS NOT NULL AND h.released_at IS NULL) AS holding
    FROM named GROUP BY reason, slot_key, rate_key ORDER BY count(*) DESC, min(created_at)`.execute(db);
  const held = await sql<{ holding: number }>`
    SELECT count(*) AS holding FROM execution_admissions
    WHERE workflow_id = ${workflowId} AND slot_key <> '' AND admitted_at IS NOT NULL AND released_at IS NULL`.execute(
    db,
  );
  return {
    holding: held.rows[0]?.holding ?? 0,
    waiting: rows.reduce((sum, { waiting }) => sum + waiting, 0),
    queues: rows.slice(0, MAX_QUEUES),
  };
}
