import { type RawBuilder, sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { grantedUnits, mayDoSql } from '#api/sharing/conditions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { WorkflowError } from '../engine/contract/workflow-error.ts';
import { type CountedSum, countedLists, countedTotal, findPlaceUpTo, laterOf } from './counts.ts';

/** An execution of either kind, for a list of all executions. */
export interface RecentExecution {
  readonly id: string;
  readonly kind: 'workflow' | 'agent';
  /** Slug of the workflow or agent. */
  readonly name: string;
  readonly status: ExecutionStatus;
  readonly triggerType: string;
  readonly error: WorkflowError | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

export interface RecentFilters {
  readonly kinds: readonly RecentExecution['kind'][];
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  /** Only executions of this workflow or agent; `kinds` has its kind. */
  readonly unitId?: string | undefined;
  /** Inclusive lower bound of the creation time. */
  readonly from?: Date | undefined;
  /** Inclusive upper bound of the creation time. */
  readonly to?: Date | undefined;
}

/** Pages with an offset up to this are read directly. */
const NEAR = 50;

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Filters with an exclusive upper bound. */
type Bounded = RecentFilters & { readonly below?: Date | undefined };

/**
 * Returns the newest executions that the viewer may see: all executions of their own and of shared workflows and
 * agents, of others those that the viewer started, and all for administrators. For each workflow or agent, and each
 * requested status, the newest are read from an index. So the cost depends on the number of workflows and agents, not
 * on the number of executions. For a deep page, the counts of the database give the time bounds of the page.
 */
export async function listRecentExecutions(
  db: Db,
  viewer: Viewer,
  filters: RecentFilters,
  page: Page,
): Promise<RecentExecution[]> {
  if (filters.kinds.length === 0) return [];
  const place = page.offset > NEAR ? await placeOf(db, viewer, filters, page) : 'uncounted';
  if (place === 'beyond') return [];
  if (place === 'uncounted') return listWithin(db, viewer, filters, page);
  // Executions after the upper bound are already part of the offset.
  const within = { ...filters, from: laterOf(filters.from, place.from), to: undefined, below: place.below };
  return listWithin(db, viewer, within, { limit: page.limit, offset: place.offset });
}

async function placeOf(db: Db, viewer: Viewer, filters: RecentFilters, page: Page) {
  const list = await listOf(db, viewer, filters);
  return findPlaceUpTo(db, list, filters, page, (from, below) =>
    countRows(db, viewer, { ...filters, from, to: undefined, below }),
  );
}

/** Returns the counted lists that make up what the viewer sees of these kinds, or of this workflow or agent. */
async function listOf(db: Db, viewer: Viewer, { kinds, unitId }: RecentFilters): Promise<string | CountedSum> {
  const { userId, administrator } = viewer;
  const all = administrator || userId === undefined;
  const kind = kinds.length === 1 ? kinds[0] : undefined;
  if (unitId === undefined && all) return countedLists.all(kind);
  if (unitId === undefined) {
    const granted = await grantedUnits(db, viewer, kinds);
    const plus = [countedLists.seenBy(userId as string, kind), ...granted.map((id) => countedLists.unit(id))];
    return { plus, minus: granted.map((id) => countedLists.unit(id, userId)) };
  }
  if (all) return countedLists.unit(unitId);
  const seesAll = mayDoSql(viewer, 'view-execution', unitOf(kind === 'agent' ? 'agent' : 'workflow'));
  const { rows } = await sql`
    SELECT FROM ${sql.table(kind === 'agent' ? 'agents' : 'workflows')} AS unit WHERE id = ${unitId} AND ${seesAll}`.execute(
    db,
  );
  return countedLists.unit(unitId, rows.length === 0 ? userId : undefined);
}

const unitOf = (kind: 'workflow' | 'agent') => ({ kind, alias: 'unit' }) as const;

async function listWithin(db: Db, viewer: Viewer, filters: Bounded, page: Page): Promise<RecentExecution[]> {
  const last = page.limit + page.offset;
  const branches = branchesOf(viewer, filters, sql`ORDER BY run.created_at DESC, id DESC LIMIT ${last}`);
  const { rows } = await sql<RecentExecution>`
    WITH chosen AS MATERIALIZED (
      SELECT * FROM (${sql.join(branches, sql` UNION ALL `)}) AS branch ORDER BY created_at DESC, id DESC LIMIT ${page.limit} OFFSET ${page.offset}
    )
    SELECT e.id, e.kind, chosen.name, e.status, e.trigger_type, e.error, e.created_at, e.started_at, e.completed_at
    FROM chosen JOIN executions AS e ON e.id = chosen.id ORDER BY chosen.created_at DESC, chosen.id DESC`.execute(db);
  return rows;
}

/** Counts executions up to a bound: a result of `atMost` means this number or more. */
export function countRecentExecutions(db: Db, viewer: Viewer, filters: RecentFilters, atMost: number): Promise<number> {
  return countRows(db, viewer, filters, sql`LIMIT ${atMost}`);
}

/**
 * Returns a function that reads the count maintained by the database. Returns undefined for a filter by time, because
 * the database counts in ranges.
 */
export function keptCountOfRecent(db: Db, viewer: Viewer, filters: RecentFilters): (() => Promise<number>) | undefined {
  if (filters.from !== undefined || filters.to !== undefined || filters.kinds.length === 0) return undefined;
  return async () => countedTotal(db, await listOf(db, viewer, filters), filters.statuses);
}

/** Returns the exact number. Uses a single core, so requests for other pages are not delayed. */
export function countAllRecentExecutions(database: Database, viewer: Viewer, filters: RecentFilters): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(transaction);
    return countRows(transaction, viewer, filters);
  });
}

async function countRows(db: Db, viewer: Viewer, filters: Bounded, bound = sql``): Promise<number> {
  const branches = branchesOf(viewer, filters, bound);
  if (branches.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT 1 FROM (${sql.join(branches, sql` UNION ALL `)}) AS branch ${bound}) AS counted`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** SQL: rows (id, created_at, name) of each workflow and agent, each limited by `bound`. */
function branchesOf(viewer: Viewer, filters: Bounded, bound: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const { kinds, statuses, unitId, from, to, below } = filters;
  const all = viewer.administrator || viewer.userId === undefined;
  const me = sql`${viewer.userId ?? null}::uuid`;
  const wholly = (kind: 'workflow' | 'agent') => (all ? sql`true` : mayDoSql(viewer, 'view-execution', unitOf(kind)));
  const wanted = statuses === undefined ? sql`` : sql`CROSS JOIN unnest(${[...statuses]}::text[]) AS wanted (status)`;
  const those = sql.join(
    [
      ...(statuses === undefined ? [] : [sql`AND run.status = wanted.status`]),
      ...(from === undefined ? [] : [sql`AND run.created_at >= ${from}`]),
      ...(to === undefined ? [] : [sql`AND run.created_at <= ${to}`]),
      ...(below === undefined ? [] : [sql`AND run.created_at < ${below}`]),
      bound,
    ],
    sql` `,
  );
  const one = unitId === undefined ? sql`` : sql`AND unit.id = ${unitId}`;
  const workflows = (units: RawBuilder<unknown>, runs: RawBuilder<unknown>) => sql`
    SELECT run.id, run.created_at, unit.slug AS name FROM workflows AS unit ${wanted} CROSS JOIN LATERAL (
      SELECT id, created_at FROM executions AS run
      WHERE run.kind = 'workflow' AND run.workflow_id = unit.id ${runs} ${those}
    ) AS run WHERE ${units} ${one}`;
  const agents = (units: RawBuilder<unknown>, runs: RawBuilder<unknown>) => sql`
    SELECT run.id, run.created_at, unit.slug AS name FROM agents AS unit ${wanted} CROSS JOIN LATERAL (
      SELECT execution_id AS id, created_at FROM agent_executions AS run
      WHERE run.agent_id = unit.id ${runs} ${those}
    ) AS run WHERE ${units} ${one}`;
  return kinds.flatMap((kind) => {
    const of = kind === 'workflow' ? workflows : agents;
    return [of(wholly(kind), sql``), ...(all ? [] : [of(sql`NOT ${wholly(kind)}`, sql`AND run.owner_id = ${me}`)])];
  });
}
