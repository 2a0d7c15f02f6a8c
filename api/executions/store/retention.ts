import { sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { JsonValue } from '../json-value.ts';
import { EVENT_RETENTION_HOURS } from './signals.ts';

/** Tables with rows of an execution. */
const PARTS = [
  'execution_steps',
  'execution_changes',
  'execution_timers',
  'execution_waits',
  'execution_signals',
  'execution_replies',
  'execution_lines',
  'execution_approvals',
  'execution_decisions',
  'worker_tasks',
  'execution_admissions',
  'execution_batch_items',
] as const;

/** Executions of one workflow, or of all workflows and agents except these. */
export type RetentionScope = { readonly workflowId: string } | { readonly except: readonly string[] };

/**
 * Deletes up to `limit` executions that ended more than `olderThanMs` ago, with all their rows. `within` deletes
 * references of other subjects. Resolves to the ids, and to the payload files that are no longer referenced.
 */
export function deleteEnded(
  database: Database,
  {
    olderThanMs,
    limit,
    scope = { except: [] },
  }: { readonly olderThanMs: number; readonly limit: number; readonly scope?: RetentionScope },
  within: (transaction: Db, ids: readonly string[]) => Promise<void> = async () => {},
): Promise<{ ids: string[]; files: string[] }> {
  const those =
    'workflowId' in scope
      ? // an execution is created before it ends, so this is a range of the index by workflow
        sql`kind = 'workflow' AND workflow_id = ${scope.workflowId} AND created_at < now() - ${olderThanMs}::float8 * interval '1 millisecond'`
      : sql`(workflow_id IS NULL OR workflow_id <> ALL (${[...scope.except]}::text[]))`;
  // Keeps children whose outcome the parent has not read. Without it, the parent would run the child again.
  const unread = sql`awaited AND EXISTS (
    SELECT FROM execution_signals AS s
    WHERE s.execution_id = executions.parent_id AND s.target = executions.parent_step AND s.attempt = executions.parent_attempt AND NOT s.delivered
  )`;
  return inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ id: string; files: string[] }>`
      SELECT id, array_remove(ARRAY[trigger_input_file, state_file, result_file], NULL) AS files FROM executions
      WHERE completed_at < now() - ${olderThanMs}::float8 * interval '1 millisecond' AND (parent_told OR NOT awaited) AND NOT (${unread}) AND ${those}
      ORDER BY completed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(transaction);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return { ids, files: [] };
    const steps = await sql<{ file: string }>`
      SELECT unnest(array_remove(ARRAY[input_file, output_file], NULL)) AS file FROM execution_steps
      WHERE execution_id = ANY (${ids}::text[]) AND (input_file IS NOT NULL OR output_file IS NOT NULL)`.execute(
      transaction,
    );
    await within(transaction, ids);
    for (const part of PARTS)
      await sql`DELETE FROM ${sql.table(part)} WHERE execution_id = ANY (${ids}::text[])`.execute(transaction);
    await sql`DELETE FROM executions WHERE id = ANY (${ids}::text[])`.execute(transaction);
    return { ids, files: [...rows.flatMap(({ files }) => files), ...steps.rows.map(({ file }) => file)] };
  });
}

/**
 * Returns the workflows whose current version declares a retention time, with the stored `document.metadata.limits`.
 */
export async function workflowsWithRetention(
  db: Db,
): Promise<{ readonly workflowId: string; readonly limits: JsonValue }[]> {
  const { rows } = await sql<{ workflowId: string; limits: JsonValue }>`
    SELECT w.id AS workflow_id, v.definition #> '{document,metadata,limits}' AS limits
    FROM workflows AS w JOIN workflow_versions AS v ON v.id = w.current_version_id
    WHERE v.definition #> '{document,metadata,limits,retention}' IS NOT NULL ORDER BY w.id`.execute(db);
  return rows;
}

/**
 * Deletes events that no execution can wait for any more, and expired idempotency keys. Resolves to the number of rows.
 */
export async function deleteOutlived(db: Db, limit: number): Promise<number> {
  const events = await sql`
    DELETE FROM execution_events WHERE seq = ANY (ARRAY(
      SELECT seq FROM execution_events
      WHERE routed AND received_at < now() - ${EVENT_RETENTION_HOURS} * interval '1 hour' ORDER BY received_at LIMIT ${limit}
    ))`.execute(db);
  const keys = await sql`
    DELETE FROM execution_idempotency WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM execution_idempotency WHERE created_at < now() - interval '24 hours' ORDER BY created_at LIMIT ${limit}
    ))`.execute(db);
  return Number(events.numAffectedRows ?? 0n) + Number(keys.numAffectedRows ?? 0n);
}
