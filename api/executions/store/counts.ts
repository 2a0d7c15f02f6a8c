import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { EXECUTION_STATUSES, type ExecutionStatus } from '../engine/port.ts';
import { foldAllChanges } from './noted-changes.ts';

/**
 * A list whose executions the database counts in ranges of time, by the name it has there. All but `ended` are in the order of creation; that one has what
 * has ended of an agent, in the order of its end.
 */
export const countedLists = {
  all: (kind?: 'workflow' | 'agent') => (kind === undefined ? 'all' : `all ${kind}`),
  /** Of a workflow or agent; of one owner of executions, if one is given. */
  unit: (unitId: string, ownerId?: string) => (ownerId === undefined ? unitId : `${unitId} of ${ownerId}`),
  /** Of an example of a workflow; of one owner of executions, if one is given. */
  example: (workflowId: string, exampleId: string, ownerId?: string) =>
    `${countedLists.unit(workflowId, ownerId)} example ${exampleId}`,
  ended: (agentId: string) => `${agentId} ended`,
  /** What a user ran, and what all users ran of that user's workflows and agents. */
  seenBy: (userId: string, kind?: 'workflow' | 'agent') =>
    kind === undefined ? `seen by ${userId}` : `seen by ${userId} ${kind}`,
} as const;

/** Lists that together, less others, are what a viewer sees: what is shared with a user adds to what the user ran. Those of `minus` lie in those of `plus`. */
export interface CountedSum {
  readonly plus: readonly string[];
  readonly minus: readonly string[];
}

/** Where a page lies: within these bounds, so many behind the newest of them. */
export interface Place {
  /** From this moment on; undefined: from the beginning. */
  readonly from: Date | undefined;
  /** Before this moment; undefined: up to now. */
  readonly below: Date | undefined;
  readonly offset: number;
}

/**
 * The bounds between which a page of a list lies, and how far behind the newest of those it begins: some thousands at most, however far behind in the list it is.
 * `beyond` when there are not so many, `uncounted` when the list has none at all. What is noted and not yet added up is added first, so that the page is
 * the right one.
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

/** How many of a list are in the ranges behind a moment's, and where that range ends. */
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
 * `findPlace` of a list that may end at a moment, too: what is later is passed like what lies before the page. `countBetween` counts, by the same filters,
 * from a moment up to before another; it is asked for less than a range.
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
  // Bounds are whole milliseconds, as times are.
  const between = await countBetween(new Date(to.getTime() + 1), later.below);
  return findPlace(db, list, statuses, { ...page, offset: page.offset + later.count + between });
}

/** The narrower of two lower bounds. */
export function laterOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

/** How many of each status a list has; what it has none of is left out. */
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
 * The exact length of a list: the added-up counts and the notes in one snapshot. It waits for no settlement that is running.
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

/** Each range with how many it has, how many there are up to its oldest, and where it ends. */
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
