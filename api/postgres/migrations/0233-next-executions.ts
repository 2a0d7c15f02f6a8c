import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The ids of the executions that a worker claims next, locked. A function has its own settings, and keeps its plan: PostgreSQL expects few pending executions
 * while its statistics are from a time with a short queue. For few it reads all of them and sorts them, which takes ever longer while the queue grows. Without bitmap
 * scans and sorting it reads as many of them as it returns, in the order of the index. Such a scan also marks index entries of old row versions, which later
 * scans then leave out.
 */
export const nextExecutions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(nextOf('next_executions(kinds text[], at_most integer)', NEXT)).execute(db);
    await sql
      .raw(nextOf('next_executions_of_others(kinds text[], full_lanes uuid[], at_most integer)', OF_OTHERS))
      .execute(db);
  },
};

/** `ROWS 1`: the statement that joins them looks up one execution after the other. */
function nextOf(signature: string, query: string): string {
  return `
    CREATE FUNCTION ${signature} RETURNS SETOF text LANGUAGE plpgsql ROWS 1
    SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET jit = off AS $$
    BEGIN
      RETURN QUERY ${query};
    END $$`;
}

const NEXT = `
  SELECT e.id FROM executions AS e
  WHERE e.status = 'pending' AND e.losses = 0 AND e.kind = ANY (kinds)
  ORDER BY e.priority DESC, e.turn, e.queued_at LIMIT at_most FOR UPDATE SKIP LOCKED`;

/**
 * Searches lane by lane, so that the queued executions of full lanes are not read. Only the index by lane has the order of a range of lanes, here of one: with an
 * equal sign, PostgreSQL could read those of all lanes by the other index.
 */
const OF_OTHERS = `
  WITH RECURSIVE lanes AS (
    (SELECT e.lane FROM executions AS e WHERE e.status = 'pending' ORDER BY e.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT e.lane FROM executions AS e WHERE e.status = 'pending' AND e.lane > lanes.lane ORDER BY e.lane LIMIT 1)
    FROM lanes WHERE lanes.lane IS NOT NULL
  )
  SELECT due.id FROM lanes CROSS JOIN LATERAL (
    SELECT e.id, e.priority, e.turn FROM executions AS e
    WHERE e.status = 'pending' AND e.losses = 0 AND e.lane BETWEEN lanes.lane AND lanes.lane AND e.kind = ANY (kinds)
    ORDER BY e.lane, e.priority DESC, e.turn, e.queued_at LIMIT at_most FOR UPDATE SKIP LOCKED
  ) AS due
  WHERE lanes.lane <> ALL (full_lanes)
  ORDER BY due.priority DESC, due.turn LIMIT at_most`;
