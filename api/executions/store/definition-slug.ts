import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

/** Returns the slug of the workflow or agent of an execution; undefined if the execution does not exist. */
export async function findDefinitionSlug(db: Db, executionId: string): Promise<string | undefined> {
  const { rows } = await sql<{ slug: string | null }>`
    SELECT coalesce(workflows.slug, agents.slug) AS slug
    FROM executions
      LEFT JOIN workflows ON workflows.id = executions.workflow_id
      LEFT JOIN agents ON agents.id = executions.agent_id
    WHERE executions.id = ${executionId}`.execute(db);
  return rows[0]?.slug ?? undefined;
}
