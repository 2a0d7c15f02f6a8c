import { sql } from 'kysely';
import { foldAllChanges } from '#api/executions/store/noted-changes.ts';
import type { Db } from '#api/postgres/database.ts';

/** Counts that are looked through: with a name each, walking to a page takes no longer than counting does. */
const MAX_COUNTS = 20_000;

/**
 * The ids of a page of an agent's executions by the names of their examples going down, those without one last, found by what was counted before it. Fewer than
 * `limit` when the page reaches into what is not counted, or begins behind too many names: then it has to be walked to.
 */
export async function pageByExample(
  db: Db,
  agentId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<string[]> {
  await foldAllChanges(db, 'examples');
  // Two ways to one index: what is null is no value of it.
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
