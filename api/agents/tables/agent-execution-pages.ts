import { sql } from 'kysely';
import { countedLists, countedStatuses, findPlace } from '#api/executions/store/counts.ts';
import type { Db } from '#api/postgres/database.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import { pageByExample } from './agent-example-counts.ts';

/**
 * Each order is that of an index, read forwards or backwards. Null comes last in descending order and first in
 * ascending order.
 */
export const ORDERS = {
  createdAt: { desc: 'created_at DESC, execution_id DESC', asc: 'created_at, execution_id' },
  completedAt: {
    desc: 'completed_at DESC NULLS LAST, execution_id DESC',
    asc: 'completed_at NULLS FIRST, execution_id',
  },
  status: {
    desc: 'status DESC, created_at, execution_id',
    asc: 'status, created_at DESC, execution_id DESC',
  },
  exampleName: {
    desc: 'example_name DESC NULLS LAST, execution_id DESC',
    asc: 'example_name NULLS FIRST, execution_id',
  },
} as const;

export const AGENT_EXECUTION_SORTS = ['createdAt', 'completedAt', 'status', 'exampleName'] as const;

/** A page of all executions of an agent. */
export interface AgentExecutionPage {
  readonly agentId: string;
  readonly sort: (typeof AGENT_EXECUTION_SORTS)[number];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** Pages within this distance from either end are read directly. */
const NEAR = 2_000;

/**
 * Returns the ids of a page of all executions of an agent, and the total. In the middle of a long list, the counts of
 * the database locate the page. If they cannot, an index is read from the nearer end.
 */
export async function pageOfAgent(
  db: Db,
  { agentId, sort, order, limit, offset }: AgentExecutionPage,
): Promise<{ ids: string[]; total: number }> {
  const counted = await sql<{ total: number }>`
    SELECT coalesce(sum(executions), 0)::float8 AS total FROM agent_statistics WHERE agent_id = ${agentId}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  const count = Math.max(0, Math.min(limit, total - offset));
  const after = Math.max(0, total - offset - count);
  if (Math.min(offset, after) > NEAR) {
    const page = { limit: count, offset: order === 'desc' ? offset : after };
    const found = await FAR[sort](db, agentId, page);
    // Fewer ids mean that the counts do not cover the page: open executions when sorted by completion, or pages after
    // twenty thousand names.
    if (found.length === count) return { ids: order === 'desc' ? found : found.reverse(), total };
  }
  const behind = after < offset;
  const direction = behind === (order === 'desc') ? 'asc' : 'desc';
  const { rows } = await sql<{ executionId: string }>`
    SELECT execution_id FROM agent_executions WHERE agent_id = ${agentId}
    ORDER BY ${sql.raw(ORDERS[sort][direction])} LIMIT ${count} OFFSET ${behind ? after : offset}`.execute(db);
  const ids = rows.map(({ executionId }) => executionId);
  return { ids: behind ? ids.reverse() : ids, total };
}

interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** Pages in descending order. */
const FAR = {
  createdAt: (db: Db, agentId: string, slice: Slice) => newest(db, agentId, 'created_at', undefined, slice),
  completedAt: (db: Db, agentId: string, slice: Slice) => newest(db, agentId, 'completed_at', undefined, slice),
  status: byStatus,
  exampleName: pageByExample,
} as const;

/** Returns a page by status, with the oldest first within a status. */
async function byStatus(db: Db, agentId: string, { limit, offset }: Slice): Promise<string[]> {
  const counts = [...(await countedStatuses(db, countedLists.unit(agentId)))].sort(([a], [b]) => (a < b ? 1 : -1));
  const ids: string[] = [];
  let passed = 0;
  for (const [status, count] of counts) {
    const [first, last] = [Math.max(0, offset - passed), Math.min(count, offset + limit - passed)];
    passed += count;
    if (first >= last) continue;
    const slice = { limit: last - first, offset: count - last };
    ids.push(...(await newest(db, agentId, 'created_at', status, slice)).reverse());
  }
  return ids;
}

/** Returns a page, newest first, by creation or completion time. */
async function newest(
  db: Db,
  agentId: string,
  column: 'created_at' | 'completed_at',
  status: ExecutionStatus | undefined,
  slice: Slice,
): Promise<string[]> {
  const list = column === 'created_at' ? countedLists.unit(agentId) : countedLists.ended(agentId);
  const place = await findPlace(db, list, status === undefined ? undefined : [status], slice);
  if (place === 'beyond' || place === 'uncounted') return [];
  const at = sql.raw(column);
  const { rows } = await sql<{ executionId: string }>`
    SELECT execution_id FROM agent_executions
    WHERE agent_id = ${agentId} ${status === undefined ? sql`` : sql`AND status = ${status}`}
      AND ${at} >= ${place.from ?? '-infinity'} AND ${at} < ${place.below ?? 'infinity'}
    ORDER BY ${sql.raw(`${column} DESC`)}${column === 'completed_at' ? sql` NULLS LAST` : sql``}, execution_id DESC
    LIMIT ${slice.limit} OFFSET ${place.offset}`.execute(db);
  return rows.map(({ executionId }) => executionId);
}
