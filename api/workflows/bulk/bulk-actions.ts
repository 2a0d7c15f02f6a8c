import { type Generated, type Selectable, sql } from 'kysely';
import { DRY_RUN } from '#api/executions/engine/run/dry-run.ts';
import type { Db } from '#api/postgres/database.ts';
import { userMaySql } from '#api/sharing/conditions.ts';
import { MAX_BULK } from '#schemas/api/bulk-actions.ts';
import { EXECUTION_STATUSES, type ExecutionStatus, TERMINAL_STATUSES } from '#schemas/api/execution-status.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    workflowBulkActions: BulkActionsTable;
  }
}

export interface BulkActionsTable {
  /** `bulk_…` */
  id: string;
  workflowId: string;
  action: 'cancel' | 'replay';
  /** For a replay: true to run the current version instead of the version of each execution. */
  latestVersion: Generated<boolean>;
  filters: BulkFilters;
  /** See `actorOf`. */
  actor: string;
  /** Owner of the executions that a replay starts; null for the operator. */
  ownerId: string | null;
  requestId: string | null;
  total: number;
  done: Generated<number>;
  skipped: Generated<number>;
  problem: string | null;
  status: Generated<'running' | 'stopping' | 'stopped' | 'completed'>;
  createdAt: Generated<Date>;
  endedAt: Date | null;
}

export type BulkAction = Selectable<BulkActionsTable>;

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;

/** Filters of the request. Times are ISO 8601. */
export interface BulkFilters {
  readonly statuses?: readonly ExecutionStatus[];
  readonly from?: string;
  readonly to?: string;
}

export interface BulkChoice {
  readonly workflowId: string;
  readonly action: BulkAction['action'];
  readonly filters: BulkFilters;
  /** Only executions of this owner; undefined for all. */
  readonly executionsOf: string | undefined;
}

const isTerminal = (status: ExecutionStatus) => (TERMINAL_STATUSES as readonly ExecutionStatus[]).includes(status);

/** Returns the statuses that an action applies to, without those on which it has no effect. */
export function bulkStatuses(action: BulkAction['action'], statuses: BulkFilters['statuses']): ExecutionStatus[] {
  const wanted = statuses ?? (action === 'replay' ? (['failed'] as const) : EXECUTION_STATUSES);
  return wanted.filter((status) => isTerminal(status) === (action === 'replay'));
}

function chosenBy({ workflowId, action, filters, executionsOf }: BulkChoice) {
  const { from, to } = filters;
  return sql`
    FROM executions WHERE kind = 'workflow' AND workflow_id = ${workflowId} AND status = ANY (${bulkStatuses(action, filters.statuses)}::text[])
      AND trigger_type <> ${DRY_RUN}
      AND (${from ?? null}::timestamptz IS NULL OR created_at >= ${from ?? null}::timestamptz)
      AND (${to ?? null}::timestamptz IS NULL OR created_at <= ${to ?? null}::timestamptz)
      AND (${executionsOf ?? null}::uuid IS NULL OR owner_id = ${executionsOf ?? null}::uuid)`;
}

/** Counts the matching executions, up to one more than the maximum of an action. */
export async function countChosen(db: Db, choice: BulkChoice): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT ${chosenBy(choice)} LIMIT ${MAX_BULK + 1}) AS chosen`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Inserts an action with its items, oldest execution first. Rejects with a violation of `workflow_bulk_actions_one`
 * while another action of the workflow runs.
 */
export async function insertBulkAction(
  transaction: Db,
  action: Pick<BulkAction, 'id' | 'actor' | 'ownerId' | 'requestId' | 'latestVersion'>,
  choice: BulkChoice,
): Promise<BulkAction> {
  const items = await sql`
    INSERT INTO workflow_bulk_items (action_id, seq, execution_id)
    SELECT ${action.id}, row_number() OVER (ORDER BY created_at, id), id ${chosenBy(choice)}
    ORDER BY created_at, id LIMIT ${MAX_BULK + 1}`.execute(transaction);
  return transaction
    .insertInto('workflowBulkActions')
    .values({
      ...action,
      workflowId: choice.workflowId,
      action: choice.action,
      filters: sql<BulkFilters>`${JSON.stringify(choice.filters)}::jsonb`,
      total: Number(items.numAffectedRows ?? 0n),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const NEWEST = 20;

export function listBulkActions(db: Db, workflowId: string): Promise<BulkAction[]> {
  return db
    .selectFrom('workflowBulkActions')
    .selectAll()
    .where('workflowId', '=', workflowId)
    .orderBy('createdAt', 'desc')
    .limit(NEWEST)
    .execute();
}

export function findBulkAction(db: Db, id: string): Promise<BulkAction | undefined> {
  return db.selectFrom('workflowBulkActions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Requests that an action stops after its current batch. Returns false if it has ended. */
export async function stopBulkAction(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('workflowBulkActions')
    .set({ status: 'stopping' })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the next items of an action, in order. */
export async function nextItems(db: Db, id: string, most: number): Promise<{ seq: number; executionId: string }[]> {
  const { rows } = await sql<{ seq: number; executionId: string }>`
    SELECT seq, execution_id FROM workflow_bulk_items WHERE action_id = ${id} ORDER BY seq LIMIT ${most}`.execute(db);
  return rows;
}

/**
 * Returns the executions that the account of the action may no longer change: it lost the permission, is disabled, or
 * its key is revoked. The operator is never forbidden.
 */
export async function findForbidden(
  db: Db,
  { action, actor, ownerId }: Pick<BulkAction, 'action' | 'actor' | 'ownerId'>,
  executionIds: readonly string[],
): Promise<Set<string>> {
  if (ownerId === null) return new Set();
  const me = sql`${ownerId}::uuid`;
  const keyId = actor.startsWith('key:') ? actor.slice('key:'.length) : null;
  const [onWorkflow, onExecution] =
    action === 'cancel' ? (['view', 'change-execution'] as const) : (['run', 'view-execution'] as const);
  const { rows } = await sql<{ id: string }>`
    SELECT e.id FROM executions AS e
    JOIN workflows ON workflows.id = e.workflow_id
    LEFT JOIN users ON users.id = ${me} AND NOT users.disabled AND coalesce(users.end_date > now(), true)
    WHERE e.id = ANY (${[...executionIds]}::text[]) AND NOT (
      users.id IS NOT NULL
      AND (${keyId}::text IS NULL OR EXISTS (
        SELECT FROM api_keys WHERE key_id = ${keyId} AND revoked_at IS NULL AND coalesce(expires_at > now(), true)))
      AND (users.role = 'admin' OR (
        ${userMaySql(me, onWorkflow, WORKFLOW)} AND ${userMaySql(me, onExecution, WORKFLOW, 'e.owner_id')}))
    )`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export interface BulkProgress {
  readonly upTo: number;
  readonly done: number;
  readonly skipped: number;
  readonly problem: string | null;
}

/** Deletes items up to one and adds their outcomes to the counts, in one statement. So each item is counted once. */
export async function recordProgress(
  db: Db,
  id: string,
  { upTo, done, skipped, problem }: BulkProgress,
): Promise<void> {
  await sql`
    WITH gone AS (DELETE FROM workflow_bulk_items WHERE action_id = ${id} AND seq <= ${upTo})
    UPDATE workflow_bulk_actions SET done = done + ${done}::int, skipped = skipped + ${skipped}::int, problem = coalesce(${problem}, problem)
    WHERE id = ${id}`.execute(db);
}

/** Ends an action: as stopped if that was requested and items are left, otherwise as completed. */
export async function endBulkAction(db: Db, id: string): Promise<void> {
  await sql`
    UPDATE workflow_bulk_actions SET ended_at = now(),
      status = CASE WHEN EXISTS (SELECT FROM workflow_bulk_items WHERE action_id = ${id}) THEN 'stopped' ELSE 'completed' END
    WHERE id = ${id} AND ended_at IS NULL`.execute(db);
  await sql`DELETE FROM workflow_bulk_items WHERE action_id = ${id}`.execute(db);
  await sql`
    DELETE FROM workflow_bulk_actions AS a USING workflow_bulk_actions AS ended
    WHERE ended.id = ${id} AND a.workflow_id = ended.workflow_id AND a.ended_at IS NOT NULL AND a.created_at < (
      SELECT created_at FROM workflow_bulk_actions AS kept WHERE kept.workflow_id = ended.workflow_id
      ORDER BY created_at DESC OFFSET ${KEPT} LIMIT 1
    )`.execute(db);
}

/** Number of ended actions to keep per workflow. */
const KEPT = 100;
