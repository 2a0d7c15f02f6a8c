import { type RawBuilder, sql } from 'kysely';
import { leaseUntil } from '#api/leases/lease-sql.ts';
import type { Db } from '#api/postgres/database.ts';
import type { Execution } from '../tables/executions.ts';

/** The columns that a worker needs to continue an execution. */
export type ClaimedExecution = Pick<
  Execution,
  | 'id'
  | 'kind'
  | 'workflowId'
  | 'versionId'
  | 'agentId'
  | 'ownerId'
  | 'lane'
  | 'triggerType'
  | 'triggerInput'
  | 'triggerInputFile'
  | 'overrides'
  | 'metadata'
  | 'state'
  | 'stateFile'
  | 'epoch'
  | 'losses'
  | 'priority'
  | 'concurrencyKey'
  | 'limited'
  | 'rootId'
  | 'depth'
  | 'causation'
  | 'parentId'
  | 'awaited'
  | 'sourceExecutionId'
  | 'replayFrom'
  | 'requestId'
  | 'trace'
  | 'suspendRequestedAt'
> & { readonly startedAt: Date; readonly queuedAt: Date };

export interface ClaimWish {
  readonly worker: string;
  readonly leaseMs: number;
  readonly places: number;
  readonly kinds: readonly Execution['kind'][];
  /** Lanes of owners that have reached their share of the slots. */
  readonly fullLanes: readonly string[];
}

/**
 * Maximum executions per claim. It is large enough to amortise the statement, and small enough to leave work for other
 * workers.
 */
export const MAX_CLAIM = 40;

/**
 * Claims executions by priority, then by queue position. Suspects are left to `claimSuspect`. The database functions
 * lock the rows that they return, and read no other rows of the queue, whatever row estimates PostgreSQL has.
 */
export async function claimExecutions(
  db: Db,
  { worker, leaseMs, places, kinds, fullLanes }: ClaimWish,
): Promise<ClaimedExecution[]> {
  const statement =
    fullLanes.length === 0
      ? sql<ClaimedExecution>`/* prepared: claim-executions */
          ${take({ worker, leaseMs }, sql`FROM next_executions(${kinds}::text[], ${places}) AS due (due_id) WHERE id = due_id`)}`
      : sql<ClaimedExecution>`/* prepared: claim-executions-of-others */
          ${take(
            { worker, leaseMs },
            sql`FROM next_executions_of_others(${kinds}::text[], ${fullLanes}::uuid[], ${places}) AS due (due_id) WHERE id = due_id`,
          )}`;
  // The columns already have camelCase names, so the plugin that renames columns is not needed.
  return (await statement.execute(db.withoutPlugins())).rows;
}

const COLUMNS = [
  'id',
  'kind',
  'workflow_id',
  'version_id',
  'agent_id',
  'owner_id',
  'lane',
  'trigger_type',
  'trigger_input',
  'trigger_input_file',
  'overrides',
  'metadata',
  'state',
  'state_file',
  'epoch',
  'losses',
  'priority',
  'concurrency_key',
  'limited',
  'root_id',
  'depth',
  'causation',
  'parent_id',
  'awaited',
  'source_execution_id',
  'replay_from',
  'request_id',
  'trace',
  'suspend_requested_at',
  'started_at',
  'queued_at',
];
const RETURNED = sql.raw(COLUMNS.join(', '));
/** The columns in camelCase, as in `ClaimedExecution`. */
const NAMED = sql.raw(
  COLUMNS.map(
    (column) => `${column} AS "${column.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase())}"`,
  ).join(', '),
);

/** Leases the executions selected by `those`, and inserts their progress; see `tables/execution-progress.ts`. */
export function take(
  { worker, leaseMs, alone = false }: Pick<ClaimWish, 'worker' | 'leaseMs'> & { readonly alone?: boolean },
  those: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
  WITH claimed AS (
    UPDATE executions
    SET status = 'running', epoch = epoch + 1, worker = ${worker}, alone = ${alone}, wake_at = NULL, started_at = coalesce(started_at, now()),
      lease_until = ${leaseUntil(leaseMs)}
    ${those}
    RETURNING ${RETURNED}
  ),
  begun AS (
    INSERT INTO execution_progress (execution_id, epoch) SELECT id, epoch FROM claimed
    ON CONFLICT (execution_id) DO UPDATE SET epoch = excluded.epoch, state = NULL, state_file = NULL, written_bytes = 0
  )
  SELECT ${NAMED} FROM claimed`;
}
