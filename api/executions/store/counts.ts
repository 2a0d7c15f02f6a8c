import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { EXECUTION_STATUSES, type ExecutionStatus } from '#schemas/api/execution-status.ts';
import { foldAllChanges } from './noted-changes.ts';

/**
 * Names of the lists that the database counts in time ranges. All are ordered by creation, except `ended`: the ended
 * executions of an agent, by their end.
 */
export const countedLists = {
  all: (kind?: 'workflow' | 'agent') => (kind === undefined ? 'all' : `all ${kind}`),
  /** Executions of a workflow or agent, optionally of one owner. */
  unit: (unitId: string, ownerId?: string) => (ownerId === undefined ? unitId : `${unitId} of ${ownerId}`),
  /** Executions of an example of a workflow, optionally of one owner. */
  example: (workflowId: string, exampleId: string, ownerId?: string) =>
    `${countedLists.unit(workflowId, ownerId)} example ${exampleId}`,
  ended: (agentId: string) => `${agentId} ended`,
  /** Executions by a user, and those by all users of the workflows and agents of that user. */
  seenBy: (userId: string, kind?: 'workflow' | 'agent') =>
    kind === undefined ? `seen by ${userId}` : `seen by ${userId} ${kind}`,
} as const;

/**
 * A union of lists minus other lists: what a viewer sees. Shared workflows and agents add to the executions of the
 * viewer. Each list of `minus` is contained in those of `plus`.
 */
export interface CountedSum {
  readonly plus: readonly string[];
  readonly minus: readonly string[];
}

/** Position of a page: bounds, and an offset from the newest item within them. */
export interface Place {
  /** Inclusive lower bound; undefined if none exists. */
  readonly from: Date | undefined;
  /** Exclusive upper bound; undefined if none exists. */
  readonly below: Date | undefined;
  readonly offset: number;
}

/**
 * Returns bounds that contain a page of a list, and the offset of the page within them: at most some thousands, however
 * deep the page is. Returns `beyond` if the list is shorter, and `uncounted` if the list has no counts. Folds recorded
 * changes first, so the position is exact.
 */
export async function findPlace(
  db: Db,
  list: string | CountedSum,
  statuses: readonly ExecutionStatus[] | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Place | 'beyond' | 'uncounted'> {
  await foldAllChanges(db, 'executions');
  const { rows } = await sql<{ from: Date | null; below: Date | null; passed: number }>`
    WITH ${rangesOf(list, statuses)}
    SELECT below, reached - n AS passed, (SELECT since FROM ranges WHERE reached >= ${offset + limit} ORDER BY reached, since DESC LIMIT 1) AS "from"
    FROM ranges WHERE reached > ${offset} ORDER BY since DESC LIMIT 1`.execute(db);
  const [found] = rows;
  if (found !== undefined)
    return { from: found.from ?? undefined, below: found.below ?? undefined, offset: offset - found.passed };
  const counted = await sql`SELECT FROM execution_counts WHERE list = ANY (${termsOf(list).lists}) LIMIT 1`.execute(db);
  return counted.rows.length === 0 ? 'uncounted' : 'beyond';
}

/** Returns the number of items in the ranges after the range of a moment, and the bound of that range. */
export async function countedLater(
  db: Db,
  list: string | CountedSum,
  statuses: readonly ExecutionStatus[] | undefined,
  moment: Date,
): Promise<{ readonly below: Date | undefined; readonly count: number }> {
  await foldAllChanges(db, 'executions');
  const { rows } = await sql<{ below: Date | null; count: number }>`
    WITH ${rangesOf(list, statuses)}
    SELECT min(since) AS below, coalesce(sum(n), 0) AS count FROM ranges WHERE since > ${moment}`.execute(db);
  return { below: rows[0]?.below ?? undefined, count: Number(rows[0]?.count ?? 0) };
}

/**
 * Like `findPlace`, for a list with an upper time bound: items after the bound are skipped like those before the page.
 * `countBetween` counts with the same filters from a moment (inclusive) to another (exclusive), over less than one
 * range.
 */
export async function findPlaceUpTo(
  db: Db,
  list: string | CountedSum,
  { statuses, to }: { readonly statuses?: readonly ExecutionStatus[] | undefined; readonly to?: Date | undefined },
  page: { readonly limit: number; readonly offset: number },
  countBetween: (from: Date, below: Date | undefined) => Promise<number>,
): Promise<Place | 'beyond' | 'uncounted'> {
  if (to === undefined) return findPlace(db, list, statuses, page);
  const later = await countedLater(db, list, statuses, to);
  // Times and bounds are whole milliseconds.
  const between = await countBetween(new Date(to.getTime() + 1), later.below);
  return findPlace(db, list, statuses, { ...page, offset: page.offset + later.count + between });
}

/** Returns the later of two lower bounds. */
export function laterOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

/** Returns the number of executions of a list by status, without zeros. */
export async function countedStatuses(db: Db, list: string): Promise<Map<ExecutionStatus, number>> {
  await foldAllChanges(db, 'executions');
  const sums = EXECUTION_STATUSES.map((status) => sql`sum(${sql.ref(status)})`);
  const { rows } = await sql<{ counts: (string | null)[] }>`
    SELECT ARRAY[${sql.join(sums)}]::text[] AS counts FROM execution_counts WHERE list = ${list}`.execute(db);
  const counts = rows[0]?.counts ?? [];
  return new Map(
    EXECUTION_STATUSES.map((status, at) => [status, Number(counts[at] ?? 0)] as const).filter(([, n]) => n > 0),
  );
}

/**
 * Returns the exact length of a list: folded counts and recorded changes in one snapshot. Does not wait for a running
 * fold.
 */
export async function countedTotal(
  db: Db,
  list: string | CountedSum,
  statuses: readonly ExecutionStatus[] | undefined,
): Promise<number> {
  const { lists, signs } = termsOf(list);
  const those =
    statuses === undefined ? sql`move.status IS NOT NULL` : sql`move.status = ANY (${[...statuses]}::text[])`;
  const { rows } = await sql<{ total: number }>`
    WITH terms AS (SELECT * FROM unnest(${lists}::text[], ${signs}::int[]) AS term (list, sign))
    SELECT (coalesce((SELECT sum(sign * (${numberOf(statuses)})) FROM terms JOIN execution_counts USING (list)), 0) + coalesce((
      SELECT sum(n * sign) FROM execution_count_changes AS change
      CROSS JOIN LATERAL (VALUES (from_status, -1), (to_status, 1)) AS move (status, n)
      LEFT JOIN workflows ON change.kind = 'workflow' AND workflows.id = unit_id
      LEFT JOIN agents ON change.kind = 'agent' AND agents.id = unit_id
      CROSS JOIN LATERAL execution_count_lists(change.kind, unit_id, change.owner_id, change.example_id, coalesce(workflows.owner_id, agents.owner_id)) AS its (list)
      JOIN terms ON terms.list = its.list
      WHERE ${those}
    ), 0))::float8 AS total`.execute(db);
  return rows[0]?.total ?? 0;
}

/** SQL: each range with its count, the cumulative count up to its oldest item, and its bound. */
function rangesOf(list: string | CountedSum, statuses: readonly ExecutionStatus[] | undefined): RawBuilder<unknown> {
  const { lists, signs } = termsOf(list);
  return sql`
    counted AS (
      SELECT since, sum(sign * (${numberOf(statuses)}))::int AS n
      FROM unnest(${lists}::text[], ${signs}::int[]) AS term (list, sign) JOIN execution_counts USING (list) GROUP BY since
    ),
    ranges AS MATERIALIZED (
      SELECT since, n, (sum(n) OVER later)::float8 AS reached, lag(since) OVER later AS below FROM counted WINDOW later AS (ORDER BY since DESC)
    )`;
}

function termsOf(list: string | CountedSum): { readonly lists: readonly string[]; readonly signs: readonly number[] } {
  if (typeof list === 'string') return { lists: [list], signs: [1] };
  return { lists: [...list.plus, ...list.minus], signs: [...list.plus.map(() => 1), ...list.minus.map(() => -1)] };
}

function numberOf(statuses: readonly ExecutionStatus[] | undefined): RawBuilder<unknown> {
  if (statuses === undefined) return sql`total`;
  const columns = [...new Set(statuses)].map((status) => sql.ref(status));
  return sql.join(columns, sql` + `);
}
