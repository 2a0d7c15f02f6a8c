import { sql } from 'kysely';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import { randomId } from '#api/executions/random-id.ts';
import { OPERATOR_LANE } from '#api/executions/store/queue-position.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { TriggerKind } from '../tables/workflow-triggers.ts';
import { firstOccurrence } from './occurrences.ts';
import { eventTypesOf, ScheduleError, type TriggerSpec, triggersOfDefinition } from './spec.ts';

interface ReleasedVersion {
  readonly workflowId: string;
  readonly versionId: string;
  readonly ownerId: string | null;
  readonly definition: WorkflowDefinition;
}

/** Number of workflows per transaction. */
const MAX_WORKFLOWS = 50;

/**
 * Updates the triggers of workflows whose current version has changed: after a release, a roll-back, or a crash in
 * between. Resolves to the number of workflows. An unchanged trigger keeps its next time and whether it is disabled.
 */
export async function syncTriggers(database: Database, now: () => number): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const released = await unsynced(transaction);
    for (const version of released) await setTriggers(transaction, version, now());
    return released.length;
  });
}

async function unsynced(transaction: Db): Promise<ReleasedVersion[]> {
  const { rows } = await sql<ReleasedVersion>`
    SELECT w.id AS workflow_id, w.current_version_id AS version_id, w.owner_id, v.definition
    FROM workflows AS w JOIN workflow_versions AS v ON v.id = w.current_version_id
    WHERE NOT EXISTS (
      SELECT FROM workflow_trigger_versions AS s WHERE s.workflow_id = w.id AND s.version_id = w.current_version_id
    )
    ORDER BY w.id LIMIT ${MAX_WORKFLOWS} FOR NO KEY UPDATE OF w SKIP LOCKED`.execute(transaction);
  return rows;
}

async function setTriggers(transaction: Db, released: ReleasedVersion, nowMs: number): Promise<void> {
  const { workflowId, versionId } = released;
  const kinds = await putTriggers(transaction, released, nowMs);
  await transaction
    .deleteFrom('workflowTriggers')
    .where('workflowId', '=', workflowId)
    .where('kind', '!=', 'webhook')
    .$if(kinds.length > 0, (query) => query.where('kind', 'not in', kinds))
    .execute();
  await transaction
    .insertInto('workflowTriggerVersions')
    .values({ workflowId, versionId })
    .onConflict((conflict) => conflict.column('workflowId').doUpdateSet({ versionId }))
    .execute();
}

/**
 * Sets the triggers of a definition in the transaction that makes it current. So an event right after the release
 * starts an execution. Removed triggers are left to `syncTriggers`, because deleting one waits for transactions that
 * process its events. Resolves to the kinds of the set triggers.
 */
export async function putTriggers(
  transaction: Db,
  { workflowId, ownerId, definition }: Omit<ReleasedVersion, 'versionId'>,
  nowMs: number,
): Promise<TriggerKind[]> {
  const { specs, problem } = readSpecs(definition);
  for (const spec of specs) {
    const nextMs = spec.kind === 'schedule' && problem === undefined ? firstOccurrence(spec, nowMs) : undefined;
    const values = {
      spec: JSON.stringify(spec),
      lane: ownerId ?? OPERATOR_LANE,
      eventTypes: eventTypesOf(spec),
      problem: problem ?? null,
      nextAt: nextMs === undefined ? null : new Date(nextMs),
    };
    await transaction
      .insertInto('workflowTriggers')
      .values({ id: randomId('trg_'), workflowId, kind: spec.kind, secret: null, lastAt: null, ...values })
      .onConflict((conflict) =>
        conflict.columns(['workflowId', 'kind']).doUpdateSet({
          ...values,
          // An unchanged schedule keeps its next time.
          nextAt: sql<Date | null>`CASE WHEN workflow_triggers.spec::text = excluded.spec::text AND workflow_triggers.next_at IS NOT NULL
            THEN workflow_triggers.next_at ELSE excluded.next_at END`,
          updatedAt: new Date(nowMs),
        }),
      )
      .execute();
  }
  return specs.map(({ kind }) => kind);
}

/**
 * Parses the schedule. A release rejects invalid ones. If one is stored anyway, its trigger reports the problem and
 * does nothing.
 */
function readSpecs(definition: WorkflowDefinition): {
  readonly specs: readonly TriggerSpec[];
  readonly problem?: string;
} {
  try {
    return { specs: triggersOfDefinition(definition) };
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return { specs: [{ kind: 'schedule', cron: '' }], problem: error.message };
  }
}
