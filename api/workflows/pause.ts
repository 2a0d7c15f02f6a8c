import { sql } from 'kysely';
import type { Audit } from '#api/audit/port.ts';
import type { Executions } from '#api/executions/engine/executions.ts';
import { lockAdmissions } from '#api/executions/limits/admissions.ts';
import { holdQueued } from '#api/executions/limits/hold.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Workflow } from './tables/workflows.ts';

export interface PauseDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly executions: Pick<Executions, 'admitStarts'>;
}

export interface PausedBy {
  readonly actor: string;
  readonly origin: RequestOrigin;
}

/**
 * Pauses a workflow: its starts are accepted but held back, including those that have not begun. Running executions
 * continue. Returns false if it is already paused; the reason is then unchanged.
 */
export async function pauseWorkflow(
  { database, audit }: Omit<PauseDeps, 'executions'>,
  { id }: Pick<Workflow, 'id'>,
  reason: string | undefined,
  by: PausedBy,
): Promise<boolean> {
  const changed = await inTransaction(database, async (transaction) => {
    await lockAdmissions(transaction, id);
    const { numUpdatedRows } = await transaction
      .updateTable('workflows')
      .set({ pausedAt: sql<Date>`now()`, pausedBy: by.actor, pauseReason: reason ?? null })
      .where('id', '=', id)
      .where('pausedAt', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await audit.record(transaction, {
      ...by,
      target: `workflow:${id}`,
      action: 'workflow.pause',
      diff: { paused: { before: false, after: true }, ...(reason === undefined ? {} : { reason: { after: reason } }) },
    });
    return true;
  });
  // If this process dies here, the poll of a worker does it.
  await holdQueued(database, id);
  return changed;
}

/** Resumes a workflow: the held-back starts begin, within its limits. Returns false if it is not paused. */
export async function resumeWorkflow(
  { database, audit, executions }: PauseDeps,
  { id }: Pick<Workflow, 'id'>,
  by: PausedBy,
): Promise<boolean> {
  const changed = await inTransaction(database, async (transaction) => {
    await lockAdmissions(transaction, id);
    const { numUpdatedRows } = await transaction
      .updateTable('workflows')
      .set({ pausedAt: null, pausedBy: null, pauseReason: null })
      .where('id', '=', id)
      .where('pausedAt', 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await audit.record(transaction, {
      ...by,
      target: `workflow:${id}`,
      action: 'workflow.resume',
      diff: { paused: { before: true, after: false } },
    });
    return true;
  });
  await executions.admitStarts({ workflowId: id });
  return changed;
}
