import { type ColumnType, sql } from 'kysely';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentRunCalls: AgentRunCallsTable;
  }
}

/** A call that a run in progress made, of a model or a tool, with what it came to. Deleted when the run ends. */
export interface AgentRunCallsTable {
  executionId: string;
  /** 0, 1, 2 … in the order of the run. */
  ordinal: number;
  /** Of the call; a repeated run that makes another call at this place does not get the answer. */
  requestHash: string;
  answer: ColumnType<JsonValue, string, never>;
  /** Of the answer, as JSON. */
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

/** What earlier attempts of a run recorded, in order. */
export function listRunCalls(db: Db, executionId: string): Promise<RecordedCall[]> {
  return db
    .selectFrom('agentRunCalls')
    .select(['ordinal', 'requestHash', 'answer', 'bytes'])
    .where('executionId', '=', executionId)
    .orderBy('ordinal')
    .execute();
}

/** Records a call, and removes those that an earlier attempt recorded at its place and after it. False when the run is not held any more. */
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
