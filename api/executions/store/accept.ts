import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { StartLimits } from '../limits/start-limits.ts';
import { type KeptPayload, keptBytes } from '../payloads/keep-payload.ts';
import type { Execution } from '../tables/executions.ts';
import { OPERATOR_LANE, positionOfNew } from './queue-position.ts';

/** Approximate size of the rows of an execution without payloads. */
const ROW_BYTES = 1_024;

/** A row to insert, with payloads in stored form. */
export interface ExecutionRow
  extends Pick<Execution, 'id' | 'kind' | 'ownerId' | 'triggerType'>,
    Partial<
      Pick<
        Execution,
        | 'workflowId'
        | 'versionId'
        | 'agentId'
        | 'priority'
        | 'concurrencyKey'
        | 'cause'
        | 'parentId'
        | 'parentStep'
        | 'parentAttempt'
        | 'awaited'
        | 'rootId'
        | 'depth'
        | 'causation'
        | 'sourceExecutionId'
        | 'replayFrom'
        | 'exampleId'
        | 'exampleName'
        | 'batchId'
        | 'requestId'
        | 'startedBy'
        | 'trace'
      >
    > {
  readonly input: KeptPayload;
  /** JSON text. */
  readonly overrides?: string | null;
  readonly metadata?: string | null;
  /** If set, the execution waits until it is admitted; see `admitStarts`. */
  readonly limits?: StartLimits | undefined;
  /** If true, it runs even while its workflow is paused. */
  readonly ignoresPause?: boolean | undefined;
}

/** Idempotency key of a caller; see `Idempotency-Key`. */
export interface IdempotencyMark {
  readonly caller: string;
  readonly key: string;
  readonly bodyHash: string;
}

/**
 * Inserts an execution and resolves to its id. Resolves to undefined if one exists with the same cause, the same step
 * of the same parent, or the same idempotency key: see `findAccepted`. Rejects if a quota of its owner is exhausted;
 * see `exceededQuota`.
 *
 * Its status is `created` with a concurrency key, until `admitNext` makes it pending. It is `created` too with limits
 * or while its workflow is paused, until `admitStarts` does so. Otherwise it is `pending`.
 */
export async function insertExecution(
  db: Db,
  row: ExecutionRow,
  mark: IdempotencyMark | undefined,
): Promise<string | undefined> {
  const priority = sql`${row.priority ?? 0}::smallint`;
  const lane = sql`${row.ownerId ?? OPERATOR_LANE}::uuid`;
  const { limits } = row;
  const { periodMs = null } = limits?.gather ?? {};
  const gate = sql`SELECT ${limits !== undefined}::boolean OR (NOT ${row.ignoresPause ?? false}::boolean
    AND coalesce((SELECT paused_at IS NOT NULL FROM workflows WHERE id = ${row.workflowId ?? null}), false)) AS closed`;
  const { rows } = await sql<{ id: string }>`/* prepared: accept-execution */
    WITH marked AS (
      INSERT INTO execution_idempotency (caller, key, body_hash, execution_id)
      SELECT ${mark?.caller ?? null}, ${mark?.key ?? null}, ${mark?.bodyHash ?? null}, ${row.id}
      WHERE ${mark !== undefined}::boolean
      ON CONFLICT (caller, key) DO UPDATE
        SET body_hash = excluded.body_hash, execution_id = excluded.execution_id, created_at = now()
        WHERE execution_idempotency.created_at < now() - interval '24 hours'
      RETURNING 1
    ),
    gate AS (${gate}),
    accepted AS (INSERT INTO executions (
      id, kind, workflow_id, version_id, agent_id, owner_id, status, priority, turn, concurrency_key, cause, trigger_type,
      trigger_input, trigger_input_file, overrides, metadata, parent_id, parent_step, parent_attempt, awaited, root_id, depth, causation,
      source_execution_id, replay_from, example_id, example_name, batch_id, request_id, trace, accepted_bytes, limited, started_by
    )
    SELECT ${row.id}, ${row.kind}, ${row.workflowId ?? null}, ${row.versionId ?? null}, ${row.agentId ?? null}, ${row.ownerId}::uuid,
      CASE WHEN gate.closed OR ${row.concurrencyKey != null}::boolean THEN 'created' ELSE 'pending' END, ${priority}, ${positionOfNew(lane, priority)}, ${row.concurrencyKey ?? null},
      ${row.cause ?? null}, ${row.triggerType}, ${row.input.json}::json, ${row.input.file}, ${row.overrides ?? null}::json,
      ${row.metadata ?? null}::json, ${row.parentId ?? null}, ${row.parentStep ?? null}, ${row.parentAttempt ?? null}::int,
      ${row.awaited ?? false}::boolean, ${row.rootId ?? row.id}, ${row.depth ?? 0}::smallint, ${row.causation ?? 0}::smallint, ${row.sourceExecutionId ?? null},
      ${row.replayFrom ?? null}, ${row.exampleId ?? null}, ${row.exampleName ?? null}, ${row.batchId ?? null}, ${row.requestId ?? null}, ${row.trace ?? null}, ${acceptedBytes(row)}::bigint, gate.closed, ${row.startedBy ?? null}
    FROM gate WHERE ${mark === undefined}::boolean OR EXISTS (SELECT FROM marked)
    ON CONFLICT DO NOTHING
    RETURNING id, priority, limited),
    waiting AS (
      INSERT INTO execution_admissions (execution_id, workflow_id, slot_key, rate_key, priority, gathers, merge_key, not_before, retry_at)
      SELECT id, ${row.workflowId ?? null}, ${limits?.slotKey ?? ''}, ${limits?.rateKey ?? ''}, priority, ${limits?.gather?.kind ?? null},
        ${limits?.gather?.mergeKey ?? null}, clock_timestamp() + ${periodMs}::float8 * interval '1 millisecond',
        clock_timestamp() + ${periodMs}::float8 * interval '1 millisecond'
      FROM accepted WHERE limited
    )
    SELECT id FROM accepted`.execute(db);
  return rows[0]?.id;
}

/** Returns the bytes that a new execution uses of the quota of its owner: payloads and rows. */
function acceptedBytes({ input, overrides, metadata }: ExecutionRow): number {
  const texts = [overrides, metadata].map((json) => ({ json: json ?? null, file: null }));
  return ROW_BYTES + keptBytes(input, ...texts);
}

/** Finds the existing execution. `sameBody` is false if the idempotency key was used with a different body. */
export async function findAccepted(
  db: Db,
  row: Pick<ExecutionRow, 'cause' | 'parentId' | 'parentStep' | 'parentAttempt'>,
  mark: IdempotencyMark | undefined,
): Promise<{ readonly id: string; readonly sameBody: boolean } | undefined> {
  if (mark !== undefined) {
    const found = await db
      .selectFrom('executionIdempotency')
      .select(['executionId as id', 'bodyHash'])
      .where('caller', '=', mark.caller)
      .where('key', '=', mark.key)
      .executeTakeFirst();
    if (found !== undefined) return { id: found.id, sameBody: found.bodyHash === mark.bodyHash };
  }
  const same = db.selectFrom('executions').select('id');
  const found =
    row.cause != null
      ? await same.where('cause', '=', row.cause).executeTakeFirst()
      : await same
          .where('parentId', '=', row.parentId ?? '')
          .where('parentStep', '=', row.parentStep ?? '')
          .where('parentAttempt', '=', row.parentAttempt ?? 0)
          .executeTakeFirst();
  return found === undefined ? undefined : { id: found.id, sameBody: true };
}
