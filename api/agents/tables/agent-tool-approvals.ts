import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { RunClaim } from './agent-run-calls.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentToolApprovals: AgentToolApprovalsTable;
  }
}

/** A tool call that a person must approve. */
export interface AgentToolApprovalsTable {
  executionId: string;
  /** Wait of `execution_waits`, derived from the position and content of the call. */
  wait: string;
  tool: string;
  /** JSON for approvers, without secrets. */
  arguments: string;
  /** True if the arguments exceed the stored size. */
  truncated: boolean;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export interface AskedCall {
  readonly wait: string;
  readonly tool: string;
  readonly arguments: string;
  readonly truncated: boolean;
}

/**
 * Returns the deadline of the decision about a call, which the first request sets. Returns undefined if the worker has
 * lost the run.
 */
export async function askOnce(
  db: Db,
  { executionId, epoch }: RunClaim,
  { wait, tool, arguments: given, truncated }: AskedCall,
  expiresAfterSeconds: number,
): Promise<{ readonly expiresAt: Date; readonly expired: boolean } | undefined> {
  const { rows } = await sql<{ expiresAt: Date; expired: boolean }>`
    INSERT INTO agent_tool_approvals AS known (execution_id, wait, tool, arguments, truncated, expires_at)
    SELECT id, ${wait}, ${tool}, ${given}, ${truncated}::boolean, clock_timestamp() + make_interval(secs => ${expiresAfterSeconds})
    FROM executions WHERE id = ${executionId} AND epoch = ${epoch} AND status = 'running'
    ON CONFLICT (execution_id, wait) DO UPDATE SET tool = known.tool
    RETURNING expires_at, expires_at <= clock_timestamp() AS expired`.execute(db);
  return rows[0];
}
