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
  /** A part of the name. */
  readonly search?: string | undefined;
  /** Exactly this slug. */
  readonly name?: string | undefined;
  readonly kind?: WorkflowKind | undefined;
}

/** At most 100 a page. */
export interface ListWorkflowsParams extends WorkflowFilters, PageParams {}

export interface PushParams {
  /** The tag; by default the next number. */
  readonly version?: string | undefined;
  readonly kind?: WorkflowKind | undefined;
  readonly visibility?: Visibility | undefined;
  readonly notes?: string | undefined;
}

export interface ReleaseResponse {
  readonly workflow: Workflow;
  readonly version: WorkflowVersion;
  /** False: the definition is what it was, and no version was made. */
  readonly released: boolean;
  readonly warnings: readonly Readonly<Record<string, unknown>>[];
}

/** Outputs given for steps by name: those steps are not executed. */
export interface Overrides {
  readonly steps: Readonly<Record<string, unknown>>;
}

export interface StartWorkflowParams {
  /** An id, a tag or `latest`, which is the default. */
  readonly version?: string | undefined;
  readonly overrides?: Overrides | undefined;
  readonly trigger?: 'api' | 'cli' | undefined;
  /** The same key with the same input is one run, for 24 hours. Made for each call when not given. */
  readonly idempotencyKey?: string | undefined;
}

export interface RunWorkflowParams extends StartWorkflowParams {
  /** Seconds, 60 at most, to wait for the end; the answer to a run that takes longer holds the id alone. */
  readonly waitForCompletion?: number | undefined;
}

export interface RunWorkflowResponse {
  readonly executionId: string;
  /** Undefined: it has not finished. */
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
  /** Bounds of the creation: an instant, or such as `now()-7d`. */
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
  /** Seconds, 60 at most, to wait for the end; the answer then has the state at that time. */
  readonly waitForCompletion?: number | undefined;
}

export interface RerunWorkflowParams {
  /** Path or name of the step to begin at. */
  readonly fromStep?: string | undefined;
  /** The same key is one run, for 24 hours. Made for each call when not given. */
  readonly idempotencyKey?: string | undefined;
}

export interface ExecutionStep {
  /** Path in the definition, with the turns of the loops around it. */
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

/** How a run ended. */
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
