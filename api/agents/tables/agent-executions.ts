import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { ExecutionsTable } from '#api/executions/tables/executions.ts';
import type { Db } from '#api/postgres/database.ts';
import { mayDoSql } from '#api/sharing/conditions.ts';
import type { Action } from '#api/sharing/permissions.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { Comparison } from '../compare.ts';
import type { Check } from '../evaluation/checks.ts';
import type { Evaluation } from '../run/evaluate-run.ts';
import { asSharing, type Viewer } from './agents.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentExecutions: AgentExecutionsTable;
  }
}

export const FEEDBACK_RATINGS = ['pass', 'fail', 'partial'] as const;
export type FeedbackRating = (typeof FEEDBACK_RATINGS)[number];
export const FEEDBACK_STATUSES = ['open', 'resolved', 'ignored'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

/**
 * Columns of an agent execution in addition to its row in `executions`. The database maintains status and times as
 * copies. Feedback exists if `feedbackCreatedAt` is set.
 */
export interface AgentExecutionsTable {
  executionId: string;
  agentId: string;
  /** User who started it; null for the operator. */
  ownerId: string | null;
  status: ExecutionStatus;
  createdAt: Date;
  startedAt: Generated<Date | null>;
  completedAt: Generated<Date | null>;
  /** Version of the workspace when the run was accepted. */
  workspaceVersion: number;
  /** Configuration of the agent when the run was accepted. */
  config: ColumnType<Record<string, unknown>, string, never>;
  /** Scopes of the key of the caller. Null for a session or the operator, which have all scopes of their role. */
  scopes: string[] | null;
  sourceExecutionId: Generated<string | null>;
  batchId: Generated<string | null>;
  exampleId: Generated<string | null>;
  exampleName: Generated<string | null>;
  model: Generated<string | null>;
  /** Whether the output matches the output schema of the agent. Null if there is no schema or no output. */
  schemaValid: Generated<boolean | null>;
  cost: ColumnType<Record<string, number> | null, string | null | undefined, string | null>;
  feedbackRating: Generated<FeedbackRating | null>;
  feedbackStatus: Generated<FeedbackStatus | null>;
  feedbackBody: Generated<string | null>;
  feedbackCreatedAt: Generated<Date | null>;
  feedbackCreatedBy: Generated<string | null>;
  feedbackCreatedByEmail: Generated<string | null>;
  feedbackUpdatedAt: Generated<Date | null>;
  feedbackResolvedAt: Generated<Date | null>;
  feedbackResolvedBy: Generated<string | null>;
  feedbackResolvedByEmail: Generated<string | null>;
  feedbackResolvedBySessionId: Generated<string | null>;
  /** Expected output. SQL null if there is no expectation. */
  expected: ColumnType<JsonValue, string | null | undefined, string | null>;
  /** Number of expected files. */
  expectedFiles: Generated<number>;
  promotedExampleName: Generated<string | null>;
  /** How to compare its output with the expectation. Null if it was not started for an example. */
  comparison: Generated<Comparison | null>;
  /** Checks to evaluate when it ends. Null if it has no checks. */
  checks: ColumnType<readonly Check[] | null, string | null | undefined, never>;
  /** Result of comparison and checks, set when it ends. */
  evaluation: ColumnType<Evaluation | null, string | null | undefined, string | null>;
}

export type AgentExecution = Selectable<AgentExecutionsTable>;

/** Adds the row to an existing row of `executions`, in the same transaction. */
export async function insertAgentExecution(
  db: Db,
  execution: Pick<
    AgentExecution,
    | 'executionId'
    | 'agentId'
    | 'ownerId'
    | 'workspaceVersion'
    | 'config'
    | 'scopes'
    | 'sourceExecutionId'
    | 'batchId'
    | 'exampleId'
    | 'exampleName'
    | 'model'
    | 'expected'
    | 'comparison'
  > & { readonly expectedFiles: number; readonly checks?: readonly Check[] | null },
): Promise<void> {
  const { executionId, agentId, ownerId, workspaceVersion, config, scopes } = execution;
  const { sourceExecutionId, batchId, exampleId, exampleName, model, comparison, expectedFiles } = execution;
  const expected = execution.expected === null ? null : JSON.stringify(execution.expected);
  const checks = execution.checks == null ? null : JSON.stringify(execution.checks);
  await sql`
    INSERT INTO agent_executions (execution_id, agent_id, owner_id, status, created_at, workspace_version, config, scopes,
      source_execution_id, batch_id, example_id, example_name, model, expected, expected_files, comparison, checks)
    SELECT id, ${agentId}, ${ownerId}::uuid, status, created_at, ${workspaceVersion}::int, ${JSON.stringify(config)}::json,
      ${scopes}::text[], ${sourceExecutionId}, ${batchId}, ${exampleId}, ${exampleName}, ${model},
      ${expected}::json, ${expectedFiles}::int, ${comparison}, ${checks}::json
    FROM executions WHERE id = ${executionId}`.execute(db);
}

/** SQL condition: the viewer may see an execution (`run`) of an agent (`agent`), or perform another action on it. */
export function executionVisible(viewer: Viewer, action: Action = 'view-execution') {
  return mayDoSql(asSharing(viewer), action, { kind: 'agent', alias: 'agent' }, 'run.owner_id');
}

/** An execution of an agent with its engine columns. */
export type FullAgentExecution = AgentExecution &
  Pick<
    Selectable<ExecutionsTable>,
    'triggerInput' | 'triggerInputFile' | 'metadata' | 'result' | 'resultFile' | 'error' | 'cancelRequestedAt'
  >;

const ENGINE_COLUMNS = sql.raw(
  'execution.trigger_input, execution.trigger_input_file, execution.metadata, execution.result, execution.result_file, execution.error, execution.cancel_requested_at',
);

/** Returns undefined if it does not exist or is invisible to the viewer. */
export async function findAgentExecution(
  db: Db,
  executionId: string,
  viewer: Viewer,
): Promise<FullAgentExecution | undefined> {
  const { rows } = await sql<FullAgentExecution>`
    SELECT run.*, ${ENGINE_COLUMNS}
    FROM agent_executions AS run
    JOIN agents AS agent ON agent.id = run.agent_id
    JOIN executions AS execution ON execution.id = run.execution_id
    WHERE run.execution_id = ${executionId} AND ${executionVisible(viewer)}`.execute(db);
  return rows[0];
}

/** Returns the existing executions with these ids, in any order. */
export async function readAgentExecutions(db: Db, ids: readonly string[]): Promise<FullAgentExecution[]> {
  const { rows } = await sql<FullAgentExecution>`
    SELECT run.*, ${ENGINE_COLUMNS}
    FROM agent_executions AS run JOIN executions AS execution ON execution.id = run.execution_id
    WHERE run.execution_id = ANY(${[...ids]}::text[])`.execute(db);
  return rows;
}

/**
 * Returns the row and whether the viewer may change it, and locks the row until the transaction ends. Returns undefined
 * if it does not exist or is invisible to the viewer.
 */
export async function lockAgentExecution(
  db: Db,
  executionId: string,
  viewer: Viewer,
): Promise<(AgentExecution & { readonly mayChange: boolean }) | undefined> {
  const { rows } = await sql<AgentExecution & { readonly mayChange: boolean }>`
    SELECT run.*, ${executionVisible(viewer, 'change-execution')} AS may_change FROM agent_executions AS run JOIN agents AS agent ON agent.id = run.agent_id
    WHERE run.execution_id = ${executionId} AND ${executionVisible(viewer)} FOR UPDATE OF run`.execute(db);
  return rows[0];
}

/**
 * Writes the results of a run if its worker still holds it. Otherwise writes nothing and returns false. The execution
 * stays locked until the transaction ends, so further writes of the transaction belong to this run.
 */
export async function recordAgentOutcome(
  db: Db,
  claim: { readonly executionId: string; readonly epoch: number },
  outcome: {
    readonly model: string | null;
    readonly schemaValid: boolean | null;
    readonly cost: Record<string, number>;
    readonly evaluation: Evaluation | null;
  },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM executions
    WHERE id = ${claim.executionId} AND epoch = ${claim.epoch} AND status IN ('running', 'finalizing') FOR UPDATE`.execute(
    db,
  );
  if (rows.length === 0) return false;
  await db
    .updateTable('agentExecutions')
    .set({
      model: outcome.model,
      schemaValid: outcome.schemaValid,
      cost: JSON.stringify(outcome.cost),
      evaluation: outcome.evaluation === null ? null : JSON.stringify(outcome.evaluation),
    })
    .where('executionId', '=', claim.executionId)
    .execute();
  return true;
}
