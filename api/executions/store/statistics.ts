import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

const TABLES = [
  'executions',
  'execution_steps',
  'execution_timers',
  'execution_waits',
  'execution_signals',
  'execution_events',
];

/**
 * Ratio of changes to rows. An execution of three steps changes its row five times, so at this ratio the table has
 * grown by at least half.
 */
const STALE_CHANGES_PER_ROW = 3;

/**
 * Analyzes tables that have changed a lot since their last analysis. Autovacuum does so once per minute. Until then,
 * plans made for an empty table could read a hundred thousand rows per result. Resolves to the names of the tables.
 */
export async function refreshStatistics(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`/* prepared: stale-statistics */
    SELECT s.relname AS name FROM pg_stat_user_tables AS s JOIN pg_class AS c ON c.oid = s.relid
    WHERE s.relname = ANY (${TABLES}::text[]) AND s.schemaname = current_schema()
      AND s.n_mod_since_analyze > 500 + ${STALE_CHANGES_PER_ROW}::int * greatest(c.reltuples, 0)`.execute(db);
  for (const { name } of rows) await sql`ANALYZE (SKIP_LOCKED) ${sql.table(name)}`.execute(db);
  return rows.map(({ name }) => name);
}
