import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import { type AgentExecutionPage, ORDERS, pageOfAgent } from './agent-execution-pages.ts';
import type { FeedbackRating, FeedbackStatus } from './agent-executions.ts';
import type { Viewer } from './agents.ts';

/** Bounds of a time, both inclusive. */
export interface TimeBounds {
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
}

/** Filters of executions of an agent. Undefined filters exclude nothing. */
export interface AgentExecutionFilters {
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  readonly batchId?: string | undefined;
  readonly exampleName?: string | undefined;
  /** Case-insensitive, as for the body of feedback. */
  readonly exampleNameContains?: string | undefined;
  readonly created?: TimeBounds | undefined;
  readonly completed?: TimeBounds | undefined;
  readonly feedbackStatus?: readonly FeedbackStatus[] | undefined;
  /** `none`: without a rating, with or without feedback. */
  readonly feedbackRating?: readonly (FeedbackRating | 'none')[] | undefined;
  readonly hasFeedback?: boolean | undefined;
  readonly hasExpected?: boolean | undefined;
  readonly hasExpectedJson?: boolean | undefined;
  readonly hasExpectedFiles?: boolean | undefined;
  readonly feedbackBodyContains?: string | undefined;
  readonly feedbackCreated?: TimeBounds | undefined;
  readonly feedbackUpdated?: TimeBounds | undefined;
  readonly feedbackResolved?: TimeBounds | undefined;
  readonly promotedToExample?: boolean | undefined;
  readonly promotedExampleName?: string | undefined;
  /** Only executions created after this time; see `lastResolved`. */
  readonly createdLaterThan?: Date | undefined;
}

export interface AgentExecutionListQuery extends AgentExecutionPage {
  /** All executions of the agent, or those of one user. */
  readonly viewer: Viewer;
  readonly filters: AgentExecutionFilters;
  /** Maximum number of executions to examine, in list order. */
  readonly scanLimit: number;
}

export interface AgentExecutionIds {
  readonly ids: string[];
  /** Matches among the examined executions. */
  readonly total: number;
  /** True if there are more executions than were examined. */
  readonly scanLimited: boolean;
}

/**
 * Returns the ids of a page. If one of the filters matches at most `scanLimit` executions, these are examined and the
 * result is exact. Otherwise the first `scanLimit` in list order are examined: those of a filter whose index has this
 * order, or all. So no list reads more rows than that, whatever the filters. Without filters, the total is the count
 * that the database maintains, and there is no limit.
 */
export async function listAgentExecutionIds(db: Db, query: AgentExecutionListQuery): Promise<AgentExecutionIds> {
  const { agentId, viewer, filters, sort, scanLimit } = query;
  const choices = choicesOf(filters, viewer);
  const others = lookedConditions(filters);
  if (choices.length + others.length === 0) return { ...(await pageOfAgent(db, query)), scanLimited: false };
  const driving = choices.find(({ range, order }) => order === sort && !range);
  // Ranges of the sort column are contiguous in every index of this order.
  const ordered = choices.filter((choice) => choice === driving || (choice.order === sort && choice.range));
  const first = ordered.length === 0 ? undefined : await scan(db, query, choices, others, ordered);
  if (first?.scanLimited === false) return first;
  // Each of these matches more than `scanLimit`, because all of them together do.
  const left = choices.filter((choice) => !ordered.includes(choice));
  const narrow = await findNarrow(db, agentId, left, scanLimit);
  if (narrow !== undefined) return scan(db, query, choices, others, [narrow]);
  return first ?? scan(db, query, choices, others, []);
}

/**
 * Examines the first `scanLimit` candidates, and one more to detect whether there are others. The matches are
 * aggregated in list order. Numbering all rows instead would take two thirds of the time.
 */
async function scan(
  db: Db,
  { agentId, sort, order, scanLimit, limit, offset }: AgentExecutionListQuery,
  choices: readonly Choice[],
  others: readonly Condition[],
  chosen: readonly Choice[],
): Promise<AgentExecutionIds> {
  const by = sql.raw(ORDERS[sort][order]);
  const looked = [...choices.filter((choice) => !chosen.includes(choice)).map(({ condition }) => condition), ...others];
  const base = allOf([sql`agent_id = ${agentId}`, ...chosen.map(({ condition }) => condition)]);
  const { rows } = await sql<{ ids: string[] | null; total: number; scanned: number }>`
    SELECT scanned, total, ids[${offset}::int + 1 : least(${offset + limit}::int, total)] AS ids FROM (
      SELECT count(*) AS scanned, array_agg(execution_id) FILTER (WHERE fits) AS ids,
        (count(*) FILTER (WHERE fits) - coalesce((array_agg(fits))[${scanLimit}::int + 1], false)::int)::int AS total
      FROM (
        SELECT execution_id, ${allOf(looked)} AS fits FROM agent_executions WHERE ${base} ORDER BY ${by} LIMIT ${scanLimit + 1}
      ) AS looked
    ) AS found`.execute(db);
  const [found] = rows;
  return { ids: found?.ids ?? [], total: found?.total ?? 0, scanLimited: (found?.scanned ?? 0) > scanLimit };
}

/**
 * Returns the filter with the fewest matches, if these are at most `most`. Counting stops above that and reads only the
 * index. The ORDER BY forces the index: otherwise the planner might scan the table in the hope of finding enough
 * matches early.
 */
async function findNarrow(
  db: Db,
  agentId: string,
  choices: readonly Choice[],
  most: number,
): Promise<Choice | undefined> {
  const counts = choices.map(
    ({ condition, order }) => sql`
      (SELECT count(*) FROM (
        SELECT FROM agent_executions WHERE agent_id = ${agentId} AND ${condition}
        ${order === undefined ? sql`` : sql`ORDER BY ${sql.raw(ORDERS[order].desc)}`} LIMIT ${most + 1}
      ) AS counted)`,
  );
  if (counts.length === 0) return undefined;
  const { rows } = await sql<{ counts: number[] }>`SELECT ARRAY[${sql.join(counts)}]::int[] AS counts`.execute(db);
  const found = rows[0]?.counts ?? [];
  const fewest = Math.min(...found);
  return fewest <= most ? choices[found.indexOf(fewest)] : undefined;
}

type Condition = RawBuilder<unknown>;

/** A filter with an index. */
interface Choice {
  readonly condition: Condition;
  /** Order of that index; undefined if it has no list order. */
  readonly order: AgentExecutionListQuery['sort'] | undefined;
  readonly range?: boolean;
}

/** Returns the filters with indexes: equalities, partial indexes and ranges. Usually the most selective comes first. */
function choicesOf(f: AgentExecutionFilters, viewer: Viewer): Choice[] {
  const choices: Choice[] = [];
  const add = (condition: Condition, order: Choice['order'] = 'createdAt') => choices.push({ condition, order });
  if (f.promotedToExample === true || f.promotedExampleName !== undefined) add(sql`promoted_example_name IS NOT NULL`);
  if (f.batchId !== undefined) add(sql`batch_id = ${f.batchId}`);
  if (f.exampleName !== undefined) add(sql`example_name = ${f.exampleName}`, 'exampleName');
  if (f.feedbackResolved !== undefined) {
    const bounds = within(sql`feedback_resolved_at`, f.feedbackResolved);
    choices.push({ condition: allOf([sql`feedback_resolved_at IS NOT NULL`, ...bounds]), order: undefined });
  }
  if (f.hasExpected === true || f.hasExpectedJson === true || f.hasExpectedFiles === true)
    add(sql`(expected IS NOT NULL OR expected_files > 0)`);
  if (needsFeedback(f)) add(sql`feedback_created_at IS NOT NULL`);
  if (f.statuses !== undefined) {
    const [only] = f.statuses;
    if (f.statuses.length === 1) add(sql`status = ${only}`);
    else choices.push({ condition: sql`status = ANY(${[...f.statuses]}::text[])`, order: undefined });
  }
  if (!viewer.all) add(sql`owner_id = ${viewer.userId}`);
  const ranges = { createdAt: createdRange(f), completedAt: within(sql`completed_at`, f.completed) } as const;
  for (const order of ['createdAt', 'completedAt'] as const)
    if (ranges[order].length > 0) choices.push({ condition: allOf(ranges[order]), order, range: true });
  return choices;
}

/** Returns conditions on the creation time. An upper bound of the completion time also bounds it. */
function createdRange({ created, completed, createdLaterThan }: AgentExecutionFilters): Condition[] {
  return [
    ...within(sql`created_at`, created),
    ...(completed?.before === undefined ? [] : [sql`created_at <= ${completed.before}`]),
    ...(createdLaterThan === undefined ? [] : [sql`created_at > ${createdLaterThan}`]),
  ];
}

function needsFeedback(f: AgentExecutionFilters): boolean {
  return (
    f.hasFeedback === true ||
    f.feedbackStatus !== undefined ||
    (f.feedbackRating !== undefined && !f.feedbackRating.includes('none')) ||
    f.feedbackBodyContains !== undefined ||
    [f.feedbackCreated, f.feedbackUpdated].some((bounds) => (bounds?.after ?? bounds?.before) !== undefined)
  );
}

/** Returns the conditions to evaluate row by row. */
function lookedConditions(f: AgentExecutionFilters): Condition[] {
  const conditions: Condition[] = [];
  if (f.exampleNameContains !== undefined) conditions.push(contains(sql`example_name`, f.exampleNameContains));
  if (f.feedbackBodyContains !== undefined) conditions.push(contains(sql`feedback_body`, f.feedbackBodyContains));
  if (f.feedbackStatus !== undefined) conditions.push(sql`feedback_status = ANY(${[...f.feedbackStatus]}::text[])`);
  if (f.feedbackRating !== undefined)
    conditions.push(sql`coalesce(feedback_rating, 'none') = ANY(${[...f.feedbackRating]}::text[])`);
  if (f.hasFeedback === false) conditions.push(sql`feedback_created_at IS NULL`);
  if (f.hasExpected === false) conditions.push(sql`(expected IS NULL AND expected_files = 0)`);
  if (f.hasExpectedJson !== undefined) conditions.push(sql`(expected IS NOT NULL) = ${f.hasExpectedJson}::boolean`);
  if (f.hasExpectedFiles !== undefined) conditions.push(sql`(expected_files > 0) = ${f.hasExpectedFiles}::boolean`);
  conditions.push(
    ...within(sql`feedback_created_at`, f.feedbackCreated),
    ...within(sql`feedback_updated_at`, f.feedbackUpdated),
  );
  if (f.promotedToExample === false) conditions.push(sql`promoted_example_name IS NULL`);
  if (f.promotedExampleName !== undefined) conditions.push(sql`promoted_example_name = ${f.promotedExampleName}`);
  return conditions;
}

function within(column: Condition, { after, before }: TimeBounds = {}): Condition[] {
  return [
    ...(after === undefined ? [] : [sql`${column} >= ${after}`]),
    ...(before === undefined ? [] : [sql`${column} <= ${before}`]),
  ];
}

function contains(column: Condition, text: string): Condition {
  return sql`coalesce(${column} ILIKE ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}, false)`;
}

function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

/** Returns when feedback of the agent was last resolved, among visible executions; undefined if never. */
export async function lastResolved(db: Db, agentId: string, viewer: Viewer): Promise<Date | undefined> {
  const own = viewer.all ? sql`true` : sql`owner_id = ${viewer.userId}`;
  const { rows } = await sql<{ at: Date }>`
    SELECT feedback_resolved_at AS at FROM agent_executions
    WHERE agent_id = ${agentId} AND feedback_resolved_at IS NOT NULL AND ${own}
    ORDER BY feedback_resolved_at DESC LIMIT 1`.execute(db);
  return rows[0]?.at;
}
