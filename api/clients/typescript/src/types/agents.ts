import type { DataPage, ExecutionStatus, Instant, Page, PageParams, RunStatus } from './base.ts';

export type FeedbackRating = 'pass' | 'fail' | 'partial';
export type FeedbackStatus = 'open' | 'resolved' | 'ignored';
/** `issues` is `issues.md`, `trace` is `trace.jsonl`. */
export type FileKind = 'input' | 'output' | 'issues' | 'trace';
export type Visibility = 'private' | 'shared';
export type ExecutionSection = 'feedback' | 'expected' | 'files';

export interface AgentStats {
  readonly exampleCount?: number | null;
  readonly totalExecutions?: number | null;
  readonly lastExecutionAt?: string | null;
  readonly avgDurationMs?: number | null;
  readonly avgCredits?: number | null;
}

/** A live file of a workspace. */
export interface AgentFile {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly sha256: string;
  /** Version of the workspace that added it. */
  readonly version: number;
  readonly createdAt: string;
}

/** An example of the dataset with which an agent is evaluated. */
export interface AgentExample {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly expected: unknown;
  readonly sourceExecutionId: string | null;
  readonly files: readonly { readonly kind: 'input' | 'expected'; readonly name: string; readonly size: number }[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Agent {
  /** `awf_…` */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: string;
  readonly description?: string | null;
  readonly config?: Readonly<Record<string, unknown>> | null;
  readonly updatedAt?: string | null;
  readonly visibility?: Visibility | null;
  /** An archived agent is not listed and cannot be run. */
  readonly archived?: boolean | null;
  readonly sourceIntegrity?: 'healthy' | 'source_missing' | 'unregistered' | null;
  /** Latest version of the workspace. */
  readonly latestVersion?: number | null;
  readonly latestCommit?: string | null;
  readonly stats?: AgentStats | null;
  /** Present with `include: ['files']`. */
  readonly files?: readonly AgentFile[];
  /** Present with `include: ['dataset']`. */
  readonly dataset?: readonly AgentExample[];
}

export type ListAgentsResponse = DataPage<Agent>;
export interface GetAgentResponse {
  readonly agent: Agent;
}
export type CreateAgentResponse = GetAgentResponse;
export type PatchAgentResponse = GetAgentResponse;

export interface ListAgentsParams extends PageParams {
  /** Text contained in one of the agent's fields. */
  readonly search?: string | undefined;
  readonly includeArchived?: boolean | undefined;
}

export interface CreateAgentBody {
  readonly name: string;
  readonly slug: string;
  readonly description?: string | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** `shared`: all users who may run agents may run this one. Default `private`. */
  readonly visibility?: Visibility | undefined;
}

export interface PatchAgentBody extends Partial<Omit<CreateAgentBody, 'slug'>> {
  /** An archived agent is not listed and cannot be run; false restores it. */
  readonly archived?: boolean | undefined;
}

export interface RunAgentParams {
  /**
   * Values of the caller that are stored with the run. Not available for inputs with files, nor are the following three
   * fields.
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the experiment to which the run belongs. */
  readonly batchId?: string | undefined;
  /** Id of the dataset example that provides the input. */
  readonly exampleId?: string | undefined;
  readonly exampleName?: string | undefined;
  /** Seconds to wait for the end, at most 600. A longer run has the status `timeout` and continues. */
  readonly waitForCompletion?: number | undefined;
  /** Requests with the same key and input are one run, for 24 hours. Generated for each call if not given. */
  readonly idempotencyKey?: string | undefined;
}

export interface RunAgentResponse {
  readonly executionId: string;
  readonly status?: RunStatus | null;
  readonly output?: unknown;
  readonly schemaValid?: boolean | null;
  readonly error?: string | null;
  readonly cost?: Readonly<Record<string, unknown>> | null;
}

export interface NamedFile {
  readonly name: string;
}

export interface Feedback {
  readonly body: string;
  readonly rating: FeedbackRating | null;
  readonly status: FeedbackStatus | null;
  readonly createdAt: string | null;
  readonly createdBy: string | null;
  readonly createdByEmail: string | null;
  readonly updatedAt: string | null;
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedByEmail: string | null;
  readonly resolvedBySessionId: string | null;
  readonly promotedExampleName: string | null;
}

export interface ExecutionFile {
  readonly kind: FileKind;
  /** Name of the input, with which it is downloaded. */
  readonly name: string;
  readonly size: number;
  /** File name from the sender. */
  readonly filename?: string;
  /** Detected from the content. */
  readonly contentType?: string;
}

export interface AgentExecution {
  /** `exec_…` */
  readonly id: string;
  readonly status: ExecutionStatus;
  readonly createdAt: string;
  readonly model?: string | null;
  readonly output?: unknown;
  /** True if the output is valid by the agent's output schema. */
  readonly schemaValid?: boolean | null;
  readonly error?: string | null;
  readonly cost?: Readonly<Record<string, unknown>> | null;
  readonly exampleId?: string | null;
  readonly exampleName?: string | null;
  readonly sourceExecutionId?: string | null;
  readonly batchId?: string | null;
  readonly startedAt?: string | null;
  readonly completedAt?: string | null;
  readonly feedback?: Feedback | null;
  readonly expected?: unknown;
  readonly expectedFiles?: readonly NamedFile[] | null;
  /** Present with `include: ['files']`. */
  readonly files?: readonly ExecutionFile[];
}

export interface AgentExecutionResponse {
  readonly execution: AgentExecution;
}
export type CancelAgentExecutionResponse = AgentExecutionResponse;

export interface ListAgentExecutionsResponse extends Page {
  readonly executions: readonly AgentExecution[];
  /** True if `scanLimit` ended the search: `total` counts only scanned executions. */
  readonly scanLimited?: boolean;
  /** True if `sinceLastResolved` was requested, but no feedback was ever resolved. */
  readonly noResolvedAnchor?: boolean;
}

export interface RerunAgentExecutionResponse {
  readonly executionId: string;
  readonly sourceExecutionId: string;
  readonly status: ExecutionStatus;
}

export interface AgentExecutionFeedbackDetail {
  readonly feedback: Feedback | null;
  readonly expected: unknown;
  readonly expectedFiles: readonly NamedFile[];
}

/** Omitted fields stay as they are; null removes a value. */
export interface UpdateAgentExecutionFeedbackBody {
  readonly body?: string | undefined;
  readonly rating?: FeedbackRating | null | undefined;
  readonly status?: FeedbackStatus | null | undefined;
  readonly expected?: unknown;
}

export interface AgentExecutionExpectedArtifacts {
  readonly expected: unknown;
  readonly files: readonly NamedFile[];
}

export interface CopyAgentExecutionOutputToExpectedBody {
  readonly outputFileName: string;
  readonly expectedName: string;
}

/** Filters and sort fields of an agent's executions. Time bounds are inclusive. */
export interface AgentExecutionFilters {
  readonly status?: string | undefined;
  readonly batchId?: string | undefined;
  readonly exampleName?: string | undefined;
  readonly exampleNameContains?: string | undefined;
  readonly createdAfter?: Instant | undefined;
  readonly createdBefore?: Instant | undefined;
  readonly completedAfter?: Instant | undefined;
  readonly completedBefore?: Instant | undefined;
  readonly feedbackStatus?: FeedbackStatus | undefined;
  /** `none`: executions without a rating. */
  readonly feedbackRating?: FeedbackRating | 'none' | undefined;
  readonly hasFeedback?: boolean | undefined;
  readonly noFeedback?: boolean | undefined;
  readonly hasExpected?: boolean | undefined;
  readonly hasExpectedJson?: boolean | undefined;
  readonly hasExpectedFiles?: boolean | undefined;
  readonly feedbackBodyContains?: string | undefined;
  readonly feedbackCreatedAfter?: Instant | undefined;
  readonly feedbackCreatedBefore?: Instant | undefined;
  readonly feedbackUpdatedAfter?: Instant | undefined;
  readonly feedbackUpdatedBefore?: Instant | undefined;
  readonly feedbackResolvedAfter?: Instant | undefined;
  readonly feedbackResolvedBefore?: Instant | undefined;
  readonly promotedToExample?: boolean | undefined;
  readonly promotedExampleName?: string | undefined;
  readonly sinceLastResolved?: boolean | undefined;
  readonly include?: readonly ExecutionSection[] | undefined;
  readonly sort?: 'createdAt' | 'completedAt' | 'status' | 'exampleName' | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  /** Maximum number of scanned executions. */
  readonly scanLimit?: number | undefined;
}
