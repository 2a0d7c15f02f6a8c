import { sql } from 'kysely';
import { foldAllChanges } from '#api/executions/store/noted-changes.ts';
import type { Db } from '#api/postgres/database.ts';

/** Maximum number of counts to read. With a different name per execution, counting is as slow as reading the pages. */
const MAX_COUNTS = 20_000;

/**
 * Returns the ids of a page of executions of an agent in descending order of example name, unnamed ones last, located
 * by counts. Returns fewer than `limit` ids if the page extends into uncounted executions, or comes after too many
 * names. The caller must then read pages from the start.
 */
export async function pageByExample(
  db: Db,
  agentId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<string[]> {
  await foldAllChanges(db, 'examples');
  // Two branches, because an equality condition in an index does not match null.
  const of = (name: 'named' | 'unnamed') => sql`
    SELECT execution_id FROM agent_executions AS run
    WHERE run.agent_id = ${agentId} AND run.execution_id BETWEEN since AND newest
      AND ${name === 'named' ? sql`named AND run.example_name = covering.example_name` : sql`NOT named AND run.example_name IS NULL`}`;
  const { rows } = await sql<{ executionId: string }>`
    WITH counted AS (
      SELECT named, example_name, since, newest, executions AS n FROM agent_example_counts WHERE agent_id = ${agentId}
      ORDER BY named DESC, example_name DESC, since DESC LIMIT ${MAX_COUNTS}
    ), ranges AS (
      SELECT *, sum(n) OVER (ORDER BY named DESC, example_name DESC, since DESC) AS reached FROM counted
    ), covering AS MATERIALIZED (
      SELECT * FROM ranges WHERE reached > ${offset} AND reached - n < ${offset + limit}
    )
    SELECT execution_id FROM covering CROSS JOIN LATERAL (
      (${of('named')} ORDER BY run.example_name DESC NULLS LAST, run.execution_id DESC LIMIT ${offset + limit} - reached + n)
      UNION ALL
      (${of('unnamed')} ORDER BY run.example_name DESC NULLS LAST, run.execution_id DESC LIMIT ${offset + limit} - reached + n)
    ) AS run
    ORDER BY reached, execution_id DESC LIMIT ${limit} OFFSET (SELECT ${offset} - min(reached - n) FROM covering)`.execute(
    db,
  );
  return rows.map(({ executionId }) => executionId);
}
