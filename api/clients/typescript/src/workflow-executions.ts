import { pathOf, type RequestOptions } from './call.ts';
import { ServiceTimeoutError } from './errors.ts';
import type { Input } from './form.ts';
import { iterateOffsets } from './pages.ts';
import { pause } from './silence.ts';
import type { Transport } from './transport.ts';
import { isTerminal } from './types/base.ts';
import type {
  CancelWorkflowExecutionResponse,
  ExecutionSummary,
  ListedWorkflowExecution,
  ListWorkflowExecutionsParams,
  ListWorkflowExecutionsResponse,
  RerunWorkflowExecutionResponse,
  RunResult,
  StartWorkflowParams,
  WorkflowExecutionStatusResponse,
} from './types/workflows.ts';
import type { Workflows } from './workflows.ts';

/** Runs of workflows. */
export interface WorkflowExecutions {
  /** The runs of a workflow, newest first. */
  list(
    workflowId: string,
    params?: ListWorkflowExecutionsParams,
    options?: RequestOptions,
  ): Promise<ListWorkflowExecutionsResponse>;
  /** All runs of `list`, page by page. */
  iterate(
    workflowId: string,
    params?: Omit<ListWorkflowExecutionsParams, 'offset'>,
    options?: RequestOptions,
  ): AsyncGenerator<ListedWorkflowExecution, void, undefined>;
  /** One run; with `includeSteps` it holds every step. */
  get(
    executionId: string,
    params: { readonly includeSteps: true },
    options?: RequestOptions,
  ): Promise<WorkflowExecutionStatusResponse>;
  get(
    executionId: string,
    params?: { readonly includeSteps?: boolean | undefined },
    options?: RequestOptions,
  ): Promise<ExecutionSummary>;
  /** Ends a run, or asks its worker to. Doing it again changes nothing. */
  cancel(executionId: string, options?: RequestOptions): Promise<CancelWorkflowExecutionResponse>;
  /** Once more, with the same version, input and files; from a step on, by its path or name, when one is given. The source stays as it is. */
  rerun(
    executionId: string,
    params?: { readonly fromStep?: string | undefined },
    options?: RequestOptions,
  ): Promise<RerunWorkflowExecutionResponse>;
  /**
   * Runs a workflow and waits for its end, whatever that is: look at `status`. Rejects with a ServiceTimeoutError when it has not ended after
   * `timeoutSeconds` (default 300); the run goes on, `executionId` of the error names it.
   */
  runAndWait(
    workflowId: string,
    input?: Input,
    params?: StartWorkflowParams & { readonly timeoutSeconds?: number | undefined },
    options?: RequestOptions,
  ): Promise<RunResult>;
}

const LONGEST_HOLD_SECONDS = 60;
const POLL_MS = 2000;

export function createWorkflowExecutions(transport: Transport, run: Workflows['run']): WorkflowExecutions {
  const execution = (executionId: string, ...more: string[]) =>
    `/api/v1/workflows/executions${pathOf(executionId, ...more)}`;
  const executions: WorkflowExecutions = {
    list: async (workflowId, params = {}, options) =>
      transport.json({
        method: 'GET',
        path: `/api/v1/workflows${pathOf(workflowId, 'executions')}`,
        query: { ...params },
        ...options,
      }),
    iterate: (workflowId, params = {}, options) =>
      iterateOffsets(async (offset) => {
        const { data, total } = await executions.list(workflowId, { ...params, offset }, options);
        return { items: data, total };
      }),
    get: async (
      executionId: string,
      query: { readonly includeSteps?: boolean | undefined } = {},
      options: RequestOptions = {},
    ): Promise<WorkflowExecutionStatusResponse> =>
      transport.json({ method: 'GET', path: execution(executionId), query, ...options }),
    cancel: async (executionId, options) =>
      transport.json({ method: 'POST', path: execution(executionId, 'cancel'), ...options }),
    rerun: async (executionId, { fromStep } = {}, options = {}) =>
      transport.json({
        method: 'POST',
        path: execution(executionId, 'rerun'),
        ...(fromStep === undefined ? {} : { json: { fromStep } }),
        ...options,
      }),
    async runAndWait(workflowId, input, { timeoutSeconds = 300, ...params } = {}, options = {}) {
      const deadline = Date.now() + timeoutSeconds * 1000;
      // Held by the service: most runs end before it lets go, and no poll is needed.
      const waitForCompletion = Math.max(1, Math.min(LONGEST_HOLD_SECONDS, Math.floor(timeoutSeconds)));
      const started = await run(workflowId, input, { ...params, waitForCompletion }, options);
      const { executionId } = started;
      if (started.status !== undefined && isTerminal(started.status))
        return { executionId, status: started.status, result: started.result, error: started.error ?? null };
      for (;;) {
        const { status, result, error } = await executions.get(executionId, {}, options);
        if (isTerminal(status)) return { executionId, status, result, error: error ?? null };
        const leftMs = deadline - Date.now();
        if (leftMs <= 0)
          throw new ServiceTimeoutError(`${executionId} has not ended after ${timeoutSeconds} s; it goes on`, {
            executionId,
          });
        await pause(Math.min(POLL_MS, leftMs), options.signal);
      }
    },
  };
  return executions;
}
