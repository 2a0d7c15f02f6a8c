import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { userMaySql } from '#api/sharing/conditions.ts';

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;
const AGENT = { kind: 'agent', alias: 'agents' } as const;

/**
 * Of these executions, those whose owner may not run their workflow or agent any more: the account is disabled or ended, or the grant or the visibility by
 * which they were accepted was taken away while they waited in the queue.
 */
export async function findNotAllowed(db: Db, executions: readonly string[]): Promise<Set<string>> {
  const owner = sql`e.owner_id`;
  const { rows } = await sql<{ id: string }>`/* prepared: not-allowed-executions */
    SELECT e.id FROM executions AS e
    JOIN users ON users.id = e.owner_id
    LEFT JOIN workflows ON workflows.id = e.workflow_id
    LEFT JOIN agents ON agents.id = e.agent_id
    WHERE e.id = ANY (${[...executions]}::text[]) AND (
      users.disabled OR coalesce(users.end_date <= now(), false) OR (users.role <> 'admin' AND NOT CASE e.kind
        WHEN 'workflow' THEN ${userMaySql(owner, 'run', WORKFLOW)}
        ELSE ${userMaySql(owner, 'run', AGENT)} END)
    )`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
