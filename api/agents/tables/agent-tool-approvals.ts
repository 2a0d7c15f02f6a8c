import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { RunClaim } from './agent-run-calls.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentToolApprovals: AgentToolApprovalsTable;
  }
}

/** A call of a tool that a person decides about. */
export interface AgentToolApprovalsTable {
  executionId: string;
  /** Of `execution_waits`; made of the place of the call and of the call itself. */
  wait: string;
  tool: string;
  /** JSON as approvers read it, without secrets. */
  arguments: string;
  /** The arguments are longer than what is kept. */
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

/** When the decision about a call has to be there, set the first time it is asked for; undefined when the run is not held any more. */
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
