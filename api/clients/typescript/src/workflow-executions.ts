import { pathOf, type RequestOptions } from './call.ts';
import { aboutRun, ServiceTimeoutError } from './errors.ts';
import type { Input } from './form.ts';
import { pause } from './idle-timeout.ts';
import { iterateOffsets } from './pages.ts';
import type { Transport } from './transport.ts';
import { isTerminal } from './types/base.ts';
import type {
  CancelWorkflowExecutionResponse,
  ExecutionSummary,
  ListedWorkflowExecution,
  ListWorkflowExecutionsParams,
  ListWorkflowExecutionsResponse,
  ReadExecutionParams,
  RerunWorkflowExecutionResponse,
  RerunWorkflowParams,
  RunResult,
  RunWorkflowParams,
  RunWorkflowResponse,
  StartWorkflowParams,
  WorkflowExecutionStatusResponse,
} from './types/workflows.ts';

/** Runs of workflows. */
export interface WorkflowExecutions {
  /** Lists the runs of a workflow, newest first. */
  list(
    workflowId: string,
    params?: ListWorkflowExecutionsParams,
    options?: RequestOptions,
  ): Promise<ListWorkflowExecutionsResponse>;
  /** Iterates over all runs of `list`, page by page. */
  iterate(
    workflowId: string,
    params?: Omit<ListWorkflowExecutionsParams, 'offset'>,
    options?: RequestOptions,
  ): AsyncGenerator<ListedWorkflowExecution, void, undefined>;
  /** Returns one run. `includeSteps` adds every step. `waitForCompletion`: seconds to wait for its end, at most 60. */
  get(
    executionId: string,
    params: ReadExecutionParams & { readonly includeSteps: true },
    options?: RequestOptions,
  ): Promise<WorkflowExecutionStatusResponse>;
  get(executionId: string, params?: ReadExecutionParams, options?: RequestOptions): Promise<ExecutionSummary>;
  /** Cancels a run, or requests its worker to do so. Idempotent. */
  cancel(executionId: string, options?: RequestOptions): Promise<CancelWorkflowExecutionResponse>;
  /**
   * Starts a new run with the same version, input and files, optionally from a step (path or name). The source run does
   * not change.
   */
  rerun(
    executionId: string,
    params?: RerunWorkflowParams,
    options?: RequestOptions,
  ): Promise<RerunWorkflowExecutionResponse>;
  /**
   * Runs a workflow and waits for its end. Check `status` of the result, which can be any final status. Rejects with a
   * ServiceTimeoutError if it has not ended after `timeoutSeconds` (default 300). If the wait fails, the run continues,
   * and `executionId` of the error identifies it.
   */
  runAndWait(
    workflowId: string,
    input?: Input,
    params?: StartWorkflowParams & { readonly timeoutSeconds?: number | undefined },
    options?: RequestOptions,
  ): Promise<RunResult>;
}

/** Poll interval, used while the service does not hold requests. */
const POLL_MS = 2000;

/** `run` of `Workflows`. */
type StartRun = (
  workflowId: string,
  input: Input | undefined,
  params: RunWorkflowParams,
  options: RequestOptions,
) => Promise<RunWorkflowResponse>;

export function createWorkflowExecutions(transport: Transport, run: StartRun): WorkflowExecutions {
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
      query: ReadExecutionParams = {},
      options: RequestOptions = {},
    ): Promise<WorkflowExecutionStatusResponse> =>
      transport.json({ method: 'GET', path: execution(executionId), query: { ...query }, ...options }),
    cancel: async (executionId, options) =>
      transport.json({ method: 'POST', path: execution(executionId, 'cancel'), repeatable: 'always', ...options }),
    rerun: async (executionId, { fromStep, idempotencyKey } = {}, options = {}) =>
      transport.json({
        method: 'POST',
        path: execution(executionId, 'rerun'),
        idempotencyKey,
        repeatable: 'by-key',
        ...(fromStep === undefined ? {} : { json: { fromStep } }),
        ...options,
      }),
    async runAndWait(workflowId, input, { timeoutSeconds = 300, ...params } = {}, options = {}) {
      const deadline = Date.now() + timeoutSeconds * 1000;
      // The service holds the response: most runs end within that time and need no second request.
      const waitForCompletion = Math.min(transport.holdSeconds, Math.floor(timeoutSeconds));
      const started = await run(workflowId, input, { ...params, waitForCompletion }, options);
      const { executionId } = started;
      if (started.status !== undefined && isTerminal(started.status))
        return { executionId, status: started.status, result: started.result, error: started.error ?? null };
      try {
        const ended = await endOf(executionId, deadline, options);
        if (ended !== undefined)
          return { executionId, status: ended.status, result: ended.result, error: ended.error ?? null };
      } catch (error) {
        throw aboutRun(error, executionId);
      }
      throw new ServiceTimeoutError(`${executionId} has not ended after ${timeoutSeconds} s; it continues`, {
        executionId,
      });
    },
  };
  return executions;

  /** Returns the execution when it has ended. Undefined if it has not ended by the deadline. */
  async function endOf(
    executionId: string,
    deadline: number,
    options: RequestOptions,
  ): Promise<ExecutionSummary | undefined> {
    for (;;) {
      const askedMs = Date.now();
      const waitForCompletion = Math.min(transport.holdSeconds, Math.max(0, Math.floor((deadline - askedMs) / 1000)));
      const state = await executions.get(executionId, waitForCompletion > 0 ? { waitForCompletion } : {}, options);
      if (isTerminal(state.status)) return state;
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) return undefined;
      // The service responds immediately when it is at its limit of held connections.
      await pause(Math.min(leftMs, Math.max(0, askedMs + POLL_MS - Date.now())), options.signal);
    }
  }
}
