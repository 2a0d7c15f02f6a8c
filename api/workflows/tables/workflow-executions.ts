import { type RawBuilder, sql } from 'kysely';
import type { JsonValue } from '#api/executions/json-value.ts';
import { readsAsApprover } from '#api/executions/store/approval-conditions.ts';
import { countedLists, countedTotal, findPlaceUpTo, laterOf } from '#api/executions/store/counts.ts';
import type { ExecutionStep } from '#api/executions/tables/execution-steps.ts';
import type { Execution } from '#api/executions/tables/executions.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { grantsOf, mayDoSql } from '#api/sharing/conditions.ts';
import { type Action, mayDo, type Permission, standingOf } from '#api/sharing/permissions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { SeenWorkflow, Visibility } from './workflows.ts';

/** An execution of a workflow, for lists and single reads. */
export type WorkflowExecution = Pick<
  Execution,
  | 'id'
  | 'ownerId'
  | 'status'
  | 'createdAt'
  | 'triggerType'
  | 'triggerInput'
  | 'triggerInputFile'
  | 'result'
  | 'resultFile'
  | 'error'
  | 'startedAt'
  | 'completedAt'
> & {
  readonly workflowId: string;
  readonly slug: string | null;
  /** True if the result is too large for a list. */
  readonly resultLeftOut: boolean;
};

export interface WorkflowExecutionFilters {
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  /** Inclusive lower bound. */
  readonly from?: Date | undefined;
  /** Inclusive upper bound. */
  readonly to?: Date | undefined;
  readonly exampleId?: string | undefined;
  /** Only executions of this owner. */
  readonly ownerId?: string | undefined;
}

/** Maximum size of the compressed columns. It keeps a page small for any inputs. */
const LISTED_BYTES = 16 * 1024;
/** Pages with an offset up to this are read directly. */
const NEAR = 2_000;

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Filters with an exclusive upper bound. */
type Bounded = WorkflowExecutionFilters & { readonly below?: Date | undefined };

/**
 * Returns executions, newest first. The filters use only an index, one status at a time. So few rare matches among a
 * million are found as fast as many matches. Full rows are read for the page only. For a deep page, the counts of the
 * database give its time bounds.
 */
export async function listWorkflowExecutions(
  db: Db,
  workflowId: string,
  filters: WorkflowExecutionFilters,
  page: Page,
): Promise<WorkflowExecution[]> {
  const place = page.offset > NEAR ? await placeOf(db, workflowId, filters, page) : 'uncounted';
  if (place === 'beyond') return [];
  if (place === 'uncounted') return listWithin(db, workflowId, filters, page);
  // Executions after the upper bound are already part of the offset.
  const within = { ...filters, from: laterOf(filters.from, place.from), to: undefined, below: place.below };
  return listWithin(db, workflowId, within, { limit: page.limit, offset: place.offset });
}

function placeOf(db: Db, workflowId: string, filters: WorkflowExecutionFilters, page: Page) {
  return findPlaceUpTo(db, listOf(workflowId, filters), filters, page, (from, below) =>
    countRows(db, workflowId, { ...filters, from, to: undefined, below }),
  );
}

function listOf(workflowId: string, { exampleId, ownerId }: WorkflowExecutionFilters): string {
  return exampleId === undefined
    ? countedLists.unit(workflowId, ownerId)
    : countedLists.example(workflowId, exampleId, ownerId);
}

async function listWithin(db: Db, workflowId: string, filters: Bounded, page: Page): Promise<WorkflowExecution[]> {
  const last = page.offset + page.limit;
  const branches = conditionsOf(workflowId, filters).map(
    (where) =>
      sql`(SELECT id, created_at FROM executions WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${last})`,
  );
  const { rows } = await sql<WorkflowExecution>`
    WITH chosen AS MATERIALIZED (
      SELECT id, created_at FROM (${sql.join(branches, sql` UNION ALL `)}) AS branch
      ORDER BY created_at DESC, id DESC LIMIT ${page.limit} OFFSET ${page.offset}
    )
    SELECT e.id, e.owner_id, e.workflow_id, e.status, e.created_at, e.trigger_type, e.error, e.started_at, e.completed_at,
      CASE WHEN pg_column_size(e.trigger_input) <= ${LISTED_BYTES} THEN e.trigger_input END AS trigger_input, e.trigger_input_file,
      CASE WHEN pg_column_size(e.result) <= ${LISTED_BYTES} THEN e.result END AS result, e.result_file,
      e.result_file IS NOT NULL OR coalesce(pg_column_size(e.result) > ${LISTED_BYTES}, false) AS result_left_out,
      workflows.slug
    FROM chosen JOIN executions AS e ON e.id = chosen.id LEFT JOIN workflows ON workflows.id = e.workflow_id
    ORDER BY chosen.created_at DESC, chosen.id DESC`.execute(db);
  return rows;
}

/** Counts matches up to a bound: a result of `atMost` means this number or more. */
export async function countWorkflowExecutions(
  db: Db,
  workflowId: string,
  filters: WorkflowExecutionFilters,
  atMost: number,
): Promise<number> {
  return countRows(db, workflowId, filters, sql`LIMIT ${atMost}`);
}

/**
 * Returns a function that reads the count maintained by the database. Returns undefined for a filter by time, because
 * the database counts in ranges.
 */
export function keptCountOfWorkflow(
  db: Db,
  workflowId: string,
  filters: WorkflowExecutionFilters,
): (() => Promise<number>) | undefined {
  if (filters.from !== undefined || filters.to !== undefined) return undefined;
  return () => countedTotal(db, listOf(workflowId, filters), filters.statuses);
}

/**
 * Returns the exact number of matches, which takes 0.1 s for a million. Uses a single core, so requests for other pages
 * are not delayed.
 */
export function countAllWorkflowExecutions(
  database: Database,
  workflowId: string,
  filters: WorkflowExecutionFilters,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(transaction);
    return countRows(transaction, workflowId, filters);
  });
}

async function countRows(
  db: Db,
  workflowId: string,
  filters: Bounded,
  limit: RawBuilder<unknown> = sql``,
): Promise<number> {
  const branches = conditionsOf(workflowId, filters).map(
    (where) => sql`(SELECT 1 FROM executions WHERE ${where} ${limit})`,
  );
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT 1 FROM (${sql.join(branches, sql` UNION ALL `)}) AS branch ${limit}) AS counted`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Returns one condition per status, so each is a range of one index. */
function conditionsOf(workflowId: string, filters: Bounded): RawBuilder<unknown>[] {
  const { statuses, from, to, below, exampleId, ownerId } = filters;
  const common = [
    sql`kind = 'workflow' AND workflow_id = ${workflowId}`,
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at <= ${to}`]),
    ...(below === undefined ? [] : [sql`created_at < ${below}`]),
    ...(exampleId === undefined ? [] : [sql`example_id = ${exampleId}`]),
    ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
  ];
  const all =
    statuses === undefined ? [common] : [...new Set(statuses)].map((status) => [...common, sql`status = ${status}`]);
  return all.map((conditions) => sql.join(conditions, sql` AND `));
}

/** An execution with the permissions of the viewer on its workflow; see `mayDoWith`. */
export type SeenExecution = WorkflowExecution & {
  readonly versionId: string;
  readonly workflowOwnerId: string | null;
  readonly visibility: Visibility;
  readonly grants: readonly Permission[];
};

/** Returns undefined if the viewer may not see it. */
export async function findWorkflowExecution(db: Db, viewer: Viewer, id: string): Promise<SeenExecution | undefined> {
  const { rows } = await sql<SeenExecution>`
    SELECT e.id, e.owner_id, e.workflow_id, e.version_id, e.status, e.created_at, e.trigger_type, e.trigger_input, e.trigger_input_file,
      e.result, e.result_file, e.error, e.started_at, e.completed_at, false AS result_left_out, workflows.slug,
      workflows.owner_id AS workflow_owner_id, workflows.visibility, ${grantsOf(viewer, WORKFLOW)} AS grants
    FROM executions AS e LEFT JOIN workflows ON workflows.id = e.workflow_id
    WHERE e.id = ${id} AND e.kind = 'workflow'
      AND (${mayDoSql(viewer, 'view-execution', WORKFLOW, 'e.owner_id')} OR ${readsAsApprover(viewer)})`.execute(db);
  return rows[0];
}

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;

/** Returns whether the viewer may perform the action on a visible execution. */
export function mayDoWith(viewer: Viewer, action: Action, execution: SeenExecution): boolean {
  const { workflowOwnerId: ownerId, visibility, grants } = execution;
  return mayDo(action, standingOf(viewer, { ownerId, visibility, grants }, execution.ownerId));
}

/**
 * Returns whose executions a list of a workflow shows: all (undefined) for viewers with that permission, otherwise the
 * viewer's own.
 */
export function ownersListed(viewer: Viewer, workflow: SeenWorkflow): string | undefined {
  return mayDo('view-execution', standingOf(viewer, workflow)) ? undefined : viewer.userId;
}

/** Number of rows read at a time; each has up to 512 KiB. */
const STEPS_AT_ONCE = 16;

/** Yields all steps in the order in which they began. */
export async function* stepsOfExecution(db: Db, executionId: string): AsyncGenerator<ExecutionStep> {
  const keys = await db
    .selectFrom('executionSteps')
    .select(['step', 'attempt'])
    .where('executionId', '=', executionId)
    .orderBy('began')
    .execute();
  for (let next = 0; next < keys.length; next += STEPS_AT_ONCE) {
    const some = keys.slice(next, next + STEPS_AT_ONCE);
    const steps = some.map(({ step }) => step);
    const attempts = some.map(({ attempt }) => attempt);
    yield* await db
      .selectFrom('executionSteps')
      .selectAll()
      .where('executionId', '=', executionId)
      .where(sql<boolean>`(step, attempt) IN (SELECT * FROM unnest(${steps}::text[], ${attempts}::int[]))`)
      .orderBy('began')
      .execute();
  }
}

/** The start data of an execution, to start another one like it. */
export type ExecutionSnapshot = Pick<
  Execution,
  'versionId' | 'triggerInput' | 'triggerInputFile' | 'concurrencyKey' | 'exampleId'
> & { readonly overrides: Readonly<Record<string, JsonValue>> | null };

export async function findSnapshot(db: Db, id: string): Promise<ExecutionSnapshot | undefined> {
  const found = await db
    .selectFrom('executions')
    .select(['versionId', 'triggerInput', 'triggerInputFile', 'overrides', 'concurrencyKey', 'exampleId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { overrides } = found;
  const isRecord = overrides !== null && typeof overrides === 'object' && !Array.isArray(overrides);
  return { ...found, overrides: isRecord ? (overrides as Readonly<Record<string, JsonValue>>) : null };
}

export async function statusOfExecution(db: Db, id: string): Promise<ExecutionStatus | undefined> {
  const found = await db.selectFrom('executions').select('status').where('id', '=', id).executeTakeFirst();
  return found?.status;
}
