import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ExecutionStatus } from '../../executions/engine/port.ts';
import type { JsonValue } from '../../executions/json-value.ts';

export const FEEDBACK_RATINGS = ['pass', 'fail', 'partial'] as const;
export type FeedbackRating = (typeof FEEDBACK_RATINGS)[number];
export const FEEDBACK_STATUSES = ['open', 'resolved', 'ignored'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

/**
 * What an agent's execution has beside its row in `executions`. Status and times are copies that the database keeps; feedback is there when
 * `feedbackCreatedAt` is.
 */
export interface AgentExecutionsTable {
  executionId: string;
  agentId: string;
  /** Who ran it; null: the operator. */
  ownerId: string | null;
  status: ExecutionStatus;
  createdAt: Date;
  startedAt: Generated<Date | null>;
  completedAt: Generated<Date | null>;
  /** Of the workspace, as it was when the run was accepted. */
  workspaceVersion: number;
  /** Of the agent, at that time. */
  config: ColumnType<Record<string, unknown>, string, never>;
  /** What the caller's key was limited to; null: a session or the operator, who may all their role may. */
  scopes: string[] | null;
  sourceExecutionId: Generated<string | null>;
  batchId: Generated<string | null>;
  exampleId: Generated<string | null>;
  exampleName: Generated<string | null>;
  model: Generated<string | null>;
  /** Whether the output is as the agent's output schema says; null: there is none, or no output. */
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
  /** What is expected of the output; SQL null: nothing. */
  expected: ColumnType<JsonValue, string | null | undefined, string | null>;
  /** How many files are expected. */
  expectedFiles: Generated<number>;
  promotedExampleName: Generated<string | null>;
}

export type AgentExecution = Selectable<AgentExecutionsTable>;
