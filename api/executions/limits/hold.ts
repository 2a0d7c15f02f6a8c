import { sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { DRY_RUN } from '../engine/run/dry-run.ts';
import { lockAdmissions } from './admissions.ts';

const MAX_HELD = 1_000;

/**
 * Holds back the executions of a paused workflow that have not begun, until it is resumed. Admitted ones release their
 * slots. Does nothing if the workflow is no longer paused. Resolves to the number of executions held back.
 */
export async function holdQueued(database: Database, workflowId: string): Promise<number> {
  let all = 0;
  for (;;) {
    const held = await inTransaction(database, async (transaction) => {
      await lockAdmissions(transaction, workflowId);
      return holdSome(transaction, workflowId);
    });
    all += held;
    if (held < MAX_HELD) return all;
  }
}

async function holdSome(transaction: Db, workflowId: string): Promise<number> {
  const { rows } = await sql`
    WITH chosen AS (
      SELECT e.id FROM executions AS e
      WHERE e.kind = 'workflow' AND e.workflow_id = ${workflowId} AND e.status IN ('pending', 'created') AND e.started_at IS NULL
        AND e.trigger_type <> ${DRY_RUN}
        AND EXISTS (SELECT FROM workflows WHERE id = ${workflowId} AND paused_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM execution_admissions AS a WHERE a.execution_id = e.id AND a.admitted_at IS NULL)
      ORDER BY e.id LIMIT ${MAX_HELD} FOR NO KEY UPDATE OF e SKIP LOCKED
    ),
    held AS (
      UPDATE executions SET status = 'created', limited = true FROM chosen WHERE executions.id = chosen.id
      RETURNING executions.id, priority
    )
    INSERT INTO execution_admissions (execution_id, workflow_id, priority)
    SELECT id, ${workflowId}, priority FROM held ORDER BY id
    ON CONFLICT (execution_id) DO UPDATE SET admitted_at = NULL, retry_at = NULL
    RETURNING execution_id`.execute(transaction);
  return rows.length;
}

/** Returns the paused workflows. */
export async function pausedWorkflows(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* prepared: paused-workflows */
    SELECT id FROM workflows WHERE paused_at IS NOT NULL`.execute(db);
  return rows.map(({ id }) => id);
}
