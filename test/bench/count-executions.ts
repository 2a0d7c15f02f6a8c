import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';
import { fillExecutionCounts } from '#api/postgres/migrations/0064-execution-counts.ts';
import { fillExampleCounts } from '#api/postgres/migrations/0065-example-counts.ts';

/**
 * Counts executions that were inserted with triggers disabled, as for a database that existed before counting was
 * introduced.
 */
export async function countExecutions(database: Database): Promise<void> {
  await fillExecutionCounts(database);
  await fillExampleCounts(database);
  await sql`VACUUM ANALYZE execution_counts, agent_example_counts`.execute(database);
}
