import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { userMaySql } from '#api/sharing/conditions.ts';

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;
const AGENT = { kind: 'agent', alias: 'agents' } as const;

/**
 * Returns the executions whose owner may no longer run their workflow or agent. The account was disabled or deleted, or
 * the grant or visibility was revoked while they were queued.
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
