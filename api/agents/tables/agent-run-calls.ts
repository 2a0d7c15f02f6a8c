import { type ColumnType, sql } from 'kysely';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentRunCalls: AgentRunCallsTable;
  }
}

/** A model or tool call of a run in progress, with its result. Deleted when the run ends. */
export interface AgentRunCallsTable {
  executionId: string;
  /** Position in the run, from 0. */
  ordinal: number;
  /** Hash of the call. A restarted run that makes a different call at this position does not receive the result. */
  requestHash: string;
  answer: ColumnType<JsonValue, string, never>;
  /** JSON size of the result. */
  bytes: number;
}

/** An attempt of a run that a worker holds. */
export interface RunClaim {
  readonly executionId: string;
  readonly epoch: number;
}

export interface RecordedCall {
  readonly ordinal: number;
  readonly requestHash: string;
  readonly answer: JsonValue;
  readonly bytes: number;
}

/** Returns the calls that earlier attempts of a run recorded, in order. */
export function listRunCalls(db: Db, executionId: string): Promise<RecordedCall[]> {
  return db
    .selectFrom('agentRunCalls')
    .select(['ordinal', 'requestHash', 'answer', 'bytes'])
    .where('executionId', '=', executionId)
    .orderBy('ordinal')
    .execute();
}

/**
 * Records a call, and deletes those that an earlier attempt recorded from its position on. Returns false if the worker
 * has lost the run.
 */
export async function recordRunCall(
  db: Db,
  { executionId, epoch }: RunClaim,
  { ordinal, requestHash, answer, bytes }: Omit<RecordedCall, 'answer'> & { readonly answer: string },
): Promise<boolean> {
  const { rows } = await sql`
    WITH held AS (
      SELECT id FROM executions WHERE id = ${executionId} AND epoch = ${epoch} AND status = 'running' FOR NO KEY UPDATE
    ), superseded AS (
      DELETE FROM agent_run_calls WHERE execution_id IN (SELECT id FROM held) AND ordinal > ${ordinal}
    )
    INSERT INTO agent_run_calls AS known (execution_id, ordinal, request_hash, answer, bytes)
    SELECT id, ${ordinal}::int, ${requestHash}, ${answer}::json, ${bytes}::int FROM held
    ON CONFLICT (execution_id, ordinal) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, bytes = excluded.bytes
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

export async function deleteRunCalls(db: Db, executionId: string): Promise<void> {
  await db.deleteFrom('agentRunCalls').where('executionId', '=', executionId).execute();
}
