import type { z } from 'zod';
import { errorText } from '#api/executions/records/error-text.ts';
import type { ExecutionFile } from '#api/executions/tables/execution-files.ts';
import type {
  agentExampleSchema,
  agentExecutionSchema,
  agentFeedbackSchema,
  agentFileSchema,
  agentSchema,
  evaluationSchema,
} from '#schemas/api/agents.ts';
import { sourceOf } from '../agent-config.ts';
import type { ExampleWithFiles } from '../dataset.ts';
import type { Evaluation } from '../run/evaluate-run.ts';
import type { AgentExecution, FullAgentExecution } from '../tables/agent-executions.ts';
import type { WorkspaceFile } from '../tables/agent-files.ts';
import type { Agent, AgentStatistics } from '../tables/agents.ts';

/**
 * Converts an agent for the API. `sources`: paths of the workspace, to check whether the first file of the runtime
 * exists.
 */
export function agentRecord(
  agent: Agent,
  stats: AgentStatistics,
  sources: ReadonlySet<string>,
): z.input<typeof agentSchema> {
  const { id, slug, name, description, config, visibility, latestVersion, latestCommit, archivedAt } = agent;
  return {
    id,
    slug,
    name,
    description,
    config,
    visibility,
    archived: archivedAt !== null,
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt.toISOString(),
    sourceIntegrity:
      latestVersion === 0 ? 'unregistered' : sources.has(sourceOf(config)) ? 'healthy' : 'source_missing',
    latestVersion: latestVersion === 0 ? null : latestVersion,
    latestCommit,
    stats: { ...stats, lastExecutionAt: timeOf(stats.lastExecutionAt) },
  };
}

export function agentFileRecord(file: WorkspaceFile): z.input<typeof agentFileSchema> {
  const { path, size, contentType, contentHash, fromVersion, createdAt } = file;
  return { path, size, contentType, sha256: contentHash, version: fromVersion, createdAt: createdAt.toISOString() };
}

export function agentExampleRecord({ example, files }: ExampleWithFiles): z.input<typeof agentExampleSchema> {
  const { id, name, input, expected, comparison, sourceExecutionId, createdAt, updatedAt } = example;
  return {
    id,
    name,
    input,
    expected,
    comparison,
    sourceExecutionId,
    files: files.map(({ kind, path, size }) => ({ kind, name: path, size })),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Copies the lists, because the response type has mutable ones. */
export function evaluationRecord(evaluation: Evaluation | null): z.input<typeof evaluationSchema> | null {
  if (evaluation === null) return null;
  const { checks: _, ...rest } = evaluation;
  return {
    ...rest,
    differences: evaluation.differences.map((one) => ({ ...one })),
    ...(evaluation.checks === undefined ? {} : { checks: evaluation.checks.map((one) => ({ ...one })) }),
  };
}

/** Returns null if there was never any feedback. Otherwise all keys are present. */
export function feedbackRecord(execution: AgentExecution): z.input<typeof agentFeedbackSchema> | null {
  if (execution.feedbackCreatedAt === null) return null;
  return {
    rating: execution.feedbackRating,
    status: execution.feedbackStatus,
    createdAt: timeOf(execution.feedbackCreatedAt),
    createdBy: execution.feedbackCreatedBy,
    createdByEmail: execution.feedbackCreatedByEmail,
    updatedAt: timeOf(execution.feedbackUpdatedAt),
    resolvedAt: timeOf(execution.feedbackResolvedAt),
    resolvedBy: execution.feedbackResolvedBy,
    resolvedByEmail: execution.feedbackResolvedByEmail,
    resolvedBySessionId: execution.feedbackResolvedBySessionId,
    promotedExampleName: execution.promotedExampleName,
    body: execution.feedbackBody ?? '',
  };
}

/** Optional parts for `include`. */
export const EXECUTION_SECTIONS = ['feedback', 'expected', 'files'] as const;
/** Other parts are added elsewhere. */
export type ExecutionSections = Pick<ReadonlySet<string>, 'has'>;

export function agentExecutionRecord(
  execution: FullAgentExecution,
  sections: ExecutionSections,
  files: readonly ExecutionFile[],
): z.input<typeof agentExecutionSchema> {
  const mine = files.filter(({ executionId }) => executionId === execution.executionId);
  return {
    id: execution.executionId,
    agentId: execution.agentId,
    status: execution.status,
    createdAt: execution.createdAt.toISOString(),
    startedAt: timeOf(execution.startedAt),
    completedAt: timeOf(execution.completedAt),
    cancelRequestedAt: timeOf(execution.cancelRequestedAt),
    model: execution.model,
    output: execution.result,
    schemaValid: execution.schemaValid,
    error: errorText(execution.error),
    cost: execution.cost,
    exampleId: execution.exampleId,
    exampleName: execution.exampleName,
    batchId: execution.batchId,
    sourceExecutionId: execution.sourceExecutionId,
    promotedExampleName: execution.promotedExampleName,
    workspaceVersion: execution.workspaceVersion,
    evaluation: evaluationRecord(execution.evaluation),
    ...(sections.has('feedback') ? { feedback: feedbackRecord(execution) } : {}),
    ...(sections.has('expected') ? { expected: execution.expected, expectedFiles: expectedFileRecords(mine) } : {}),
    ...(sections.has('files') ? { files: mine.flatMap(fileRecord) } : {}),
  };
}

export function expectedFileRecords(files: readonly ExecutionFile[]): { name: string }[] {
  return files.filter(({ kind }) => kind === 'expected').map(({ path }) => ({ name: path }));
}

function fileRecord({ kind, path, filename, size, contentType }: ExecutionFile) {
  if (kind === 'expected') return [];
  return [{ kind, name: path, ...(filename === null ? {} : { filename }), size, contentType }];
}

function timeOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
