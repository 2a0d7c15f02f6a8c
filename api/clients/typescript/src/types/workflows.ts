import type { Visibility } from './agents.ts';
import type { DataPage, ExecutionStatus, Instant, PageParams } from './base.ts';

export type WorkflowKind = 'workflow' | 'block';

export interface Workflow {
  /** `wf_…` */
  readonly id: string;
  readonly createdAt: string;
  /** The slug. */
  readonly name?: string | null;
  readonly kind?: WorkflowKind | null;
  /** Tag of the current release. */
  readonly version?: string | null;
  readonly updatedAt?: string | null;
}

export interface WorkflowSummary extends Workflow {
  readonly definition?: unknown;
  readonly yamlContent?: string | null;
}

export interface WorkflowVersion {
  /** `wfh_…` */
  readonly id: string;
  readonly workflowId: string;
  readonly version?: string | null;
  readonly yamlContent?: string | null;
  readonly isCurrent?: boolean | null;
  readonly createdAt?: string | null;
}

export type ListWorkflowsResponse = DataPage<Workflow>;
export type ListVersionsResponse = DataPage<WorkflowVersion>;

export interface WorkflowFilters {
  /** Text contained in the name. */
  readonly search?: string | undefined;
  /** The exact slug. */
  readonly name?: string | undefined;
  readonly kind?: WorkflowKind | undefined;
}

/** At most 100 per page. */
export interface ListWorkflowsParams extends WorkflowFilters, PageParams {}

export interface PushParams {
  /** Version tag. Default: the next number. */
  readonly version?: string | undefined;
  readonly kind?: WorkflowKind | undefined;
  readonly visibility?: Visibility | undefined;
  readonly notes?: string | undefined;
}

export interface ReleaseResponse {
  readonly workflow: Workflow;
  readonly version: WorkflowVersion;
  /** False: the definition has not changed, and no version was created. */
  readonly released: boolean;
  readonly warnings: readonly Readonly<Record<string, unknown>>[];
}

/** Given outputs of steps, by step name. These steps are not executed. */
export interface Overrides {
  readonly steps: Readonly<Record<string, unknown>>;
}

export interface StartWorkflowParams {
  /** An id, a tag, or `latest` (the default). */
  readonly version?: string | undefined;
  readonly overrides?: Overrides | undefined;
  readonly trigger?: 'api' | 'cli' | undefined;
  /** Requests with the same key and input are one run, for 24 hours. Generated for each call if not given. */
  readonly idempotencyKey?: string | undefined;
}

export interface RunWorkflowParams extends StartWorkflowParams {
  /** Seconds to wait for the end, at most 60. For a longer run, the response contains only the id. */
  readonly waitForCompletion?: number | undefined;
}

export interface RunWorkflowResponse {
  readonly executionId: string;
  /** Undefined if the run has not ended. */
  readonly status?: ExecutionStatus;
  readonly result?: unknown;
  readonly error?: string | null;
}

export interface ListedWorkflowExecution {
  /** `exec_…` */
  readonly id: string;
  readonly workflowId: string;
  readonly status: ExecutionStatus;
  readonly createdAt: string;
  readonly triggerType?: string | null;
  readonly triggerInput?: unknown;
  readonly result?: unknown;
  readonly error?: string | null;
  readonly startedAt?: string | null;
  readonly completedAt?: string | null;
  readonly durationMs?: number | null;
  readonly workflow?: { readonly id: string; readonly name?: string | null } | null;
}

export interface WorkflowExecutionFilters {
  readonly status?: ExecutionStatus | readonly ExecutionStatus[] | undefined;
  /** Bounds of the creation time: an instant, or a relative time such as `now()-7d`. */
  readonly fromDate?: Instant | undefined;
  readonly toDate?: Instant | undefined;
  readonly exampleId?: string | undefined;
}

export interface ListWorkflowExecutionsParams extends WorkflowExecutionFilters, PageParams {}
export type ListWorkflowExecutionsResponse = DataPage<ListedWorkflowExecution>;

export interface ExecutionSummary extends ListedWorkflowExecution {
  readonly executionId: string;
}

export interface ReadExecutionParams {
  readonly includeSteps?: boolean | undefined;
  /** Seconds to wait for the end, at most 60. The response then has the state at that time. */
  readonly waitForCompletion?: number | undefined;
}

export interface RerunWorkflowParams {
  /** Path or name of the first step. */
  readonly fromStep?: string | undefined;
  /** Requests with the same key are one run, for 24 hours. Generated for each call if not given. */
  readonly idempotencyKey?: string | undefined;
}

export interface ExecutionStep {
  /** Path in the definition, with the iterations of the enclosing loops. */
  readonly step: string;
  readonly name: string;
  readonly kind: string;
  readonly status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped';
  readonly attempt: number;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly startedAt: string;
  readonly completedAt?: string;
  readonly durationMs?: number;
}

export interface WorkflowExecutionStatusResponse extends ExecutionSummary {
  readonly steps: readonly ExecutionStep[];
}

export interface CancelWorkflowExecutionResponse {
  readonly executionId: string;
  readonly status: 'cancelled' | 'cancellation-requested' | 'already-terminal';
  readonly wasStatus: ExecutionStatus;
}

/** The outcome of a run. */
export interface RunResult {
  readonly executionId: string;
  readonly status: ExecutionStatus;
  readonly result: unknown;
  readonly error: string | null;
}

export interface RerunWorkflowExecutionResponse {
  readonly executionId: string;
  readonly sourceExecutionId: string;
  readonly status: ExecutionStatus;
}
