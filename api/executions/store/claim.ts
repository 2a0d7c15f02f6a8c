import { sql } from 'kysely';
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
> & { readonly startedAt: Date; readonly queuedAt: Date };

export interface ClaimWish {
  readonly worker: string;
  readonly leaseMs: number;
  readonly places: number;
  readonly kinds: readonly Execution['kind'][];
  /** Lanes of owners that use their whole share of the slots. */
  readonly fullLanes: readonly string[];
}

/** Executions of one claim at most: enough to spread the cost of the statement, few enough to leave some to other workers. */
export const MAX_CLAIM = 40;

/**
 * Claims by priority, then by queue position; suspects are left to `claimSuspect`. The limit stands there twice: PostgreSQL expects a parameter to be a tenth of all
 * rows, and would make a new plan for each claim. Rows after the last one that is taken are not locked.
 */
export function claimExecutions(db: Db, wish: ClaimWish): Promise<ClaimedExecution[]> {
  return wish.fullLanes.length === 0 ? claimNext(db, wish) : claimOfOthers(db, wish);
}

async function claimNext(db: Db, { worker, leaseMs, places, kinds }: ClaimWish): Promise<ClaimedExecution[]> {
  const { rows } = await sql<ClaimedExecution>`/* prepared: claim-executions */
    ${take(worker, leaseMs)}
    WHERE id = ANY (ARRAY(
      SELECT id FROM (
        SELECT id FROM executions
        WHERE status = 'pending' AND losses = 0 AND kind = ANY (${kinds}::text[])
        ORDER BY priority DESC, turn, queued_at LIMIT ${sql.raw(String(MAX_CLAIM))} FOR UPDATE SKIP LOCKED
      ) AS due LIMIT ${places}
    ))
    ${returning}`.execute(db);
  return rows;
}

/** Searches lane by lane, so that the queued executions of full lanes are not read. */
async function claimOfOthers(
  db: Db,
  { worker, leaseMs, places, kinds, fullLanes }: ClaimWish,
): Promise<ClaimedExecution[]> {
  const { rows } = await sql<ClaimedExecution>`/* prepared: claim-executions-of-others */
    ${take(worker, leaseMs)}
    WHERE id = ANY (ARRAY(
      WITH RECURSIVE lanes AS (
        (SELECT lane FROM executions WHERE status = 'pending' ORDER BY lane LIMIT 1)
        UNION ALL
        SELECT (SELECT e.lane FROM executions AS e WHERE e.status = 'pending' AND e.lane > lanes.lane ORDER BY e.lane LIMIT 1)
        FROM lanes WHERE lanes.lane IS NOT NULL
      )
      SELECT due.id FROM lanes CROSS JOIN LATERAL (
        SELECT id, priority, turn FROM executions
        WHERE status = 'pending' AND losses = 0 AND lane = lanes.lane AND kind = ANY (${kinds}::text[])
        ORDER BY priority DESC, turn, queued_at LIMIT ${places} FOR UPDATE SKIP LOCKED
      ) AS due
      WHERE lanes.lane <> ALL (${fullLanes}::uuid[])
      ORDER BY due.priority DESC, due.turn LIMIT ${places}
    ))
    ${returning}`.execute(db);
  return rows;
}

export const take = (worker: string, leaseMs: number, alone = false) => sql`
  UPDATE executions
  SET status = 'running', epoch = epoch + 1, worker = ${worker}, alone = ${alone}, wake_at = NULL, started_at = coalesce(started_at, now()),
      lease_until = ${leaseUntil(leaseMs)}`;

export const returning = sql`
  RETURNING id, kind, workflow_id, version_id, agent_id, owner_id, lane, trigger_type, trigger_input, trigger_input_file, overrides, metadata,
    state, state_file, epoch, losses, priority, concurrency_key, limited, root_id, depth, causation, parent_id, awaited, source_execution_id, replay_from, request_id, trace,
    started_at, queued_at`;
