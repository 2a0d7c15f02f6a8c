import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { Evaluation } from '../run/evaluate-run.ts';
import { executionVisible } from './agent-executions.ts';
import type { Viewer } from './agents.ts';

/** A run of an evaluation. */
export interface EvaluationRow {
  readonly executionId: string;
  readonly exampleName: string;
  readonly status: ExecutionStatus;
  /** Null if it has not ended, or ended without a comparison. */
  readonly evaluation: Evaluation | null;
  readonly cost: Readonly<Record<string, number>> | null;
}

/** Returns the visible runs of a batch, by example name, with the latest run of each example. */
export async function listEvaluation(
  db: Db,
  agentId: string,
  batchId: string,
  viewer: Viewer,
): Promise<EvaluationRow[]> {
  const { rows } = await sql<EvaluationRow>`
    SELECT DISTINCT ON (run.example_name COLLATE "C") run.execution_id, run.example_name, run.status, run.evaluation, run.cost
    FROM agent_executions AS run JOIN agents AS agent ON agent.id = run.agent_id
    WHERE run.agent_id = ${agentId} AND run.batch_id = ${batchId} AND run.example_name IS NOT NULL AND ${executionVisible(viewer)}
    ORDER BY run.example_name COLLATE "C", run.created_at DESC, run.execution_id DESC`.execute(db);
  return rows;
}
