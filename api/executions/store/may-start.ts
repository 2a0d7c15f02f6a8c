import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { userMaySql } from '#api/sharing/conditions.ts';

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;
const AGENT = { kind: 'agent', alias: 'agents' } as const;

/** Executions that one poll finds. */
const MAX_FOUND = 100;
const CLOSED = sql`(users.disabled OR coalesce(users.end_date <= now(), false))`;

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
      ${CLOSED} OR (users.role <> 'admin' AND NOT CASE e.kind
        WHEN 'workflow' THEN ${userMaySql(owner, 'run', WORKFLOW)}
        ELSE ${userMaySql(owner, 'run', AGENT)} END)
    )`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the executions whose owner's account is disabled or past its end. */
export async function findOfClosedAccounts(db: Db, executions: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`/* prepared: executions-of-closed-accounts */
    SELECT e.id FROM executions AS e JOIN users ON users.id = e.owner_id
    WHERE e.id = ANY (${[...executions]}::text[]) AND ${CLOSED}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Returns executions that run on any worker although the account of their owner is disabled or past its end. */
export async function findRunningOfClosedAccounts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* prepared: running-of-closed-accounts */
    SELECT e.id FROM executions AS e JOIN users ON users.id = e.owner_id
    WHERE e.status IN ('running', 'finalizing') AND e.cancel_requested_at IS NULL AND ${CLOSED}
    ORDER BY e.queued_at LIMIT ${MAX_FOUND}`.execute(db);
  return rows.map(({ id }) => id);
}
