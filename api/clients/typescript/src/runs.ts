import type { RequestOptions } from './call.ts';
import { aboutRun, RunFailedError, ServiceError, ServiceTimeoutError } from './errors.ts';
import { pause } from './idle-timeout.ts';
import type { Schemas } from './routes.ts';
import type { Transport } from './transport.ts';
import { type ExecutionStatus, isTerminal } from './types/base.ts';
import type { ExecutionEvent } from './types/follow.ts';
import type { CancelWorkflowExecutionResponse } from './types/workflows.ts';

/** The state of an execution; the same fields for workflows and agents. `Result` is the type of its result. */
export type Execution<Result = unknown> = Omit<Schemas['Execution'], 'result' | 'status'> & {
  readonly status: ExecutionStatus;
  readonly result?: Result;
};

/** A handle of a started run, or of an execution with a known id. It holds no connection. */
export interface Run<Result = unknown> {
  readonly executionId: string;
  /** Returns the current state of the execution. */
  get(options?: RequestOptions): Promise<Execution<Result>>;
  /**
   * Waits for the end and resolves to the result. Rejects with a RunFailedError if the run did not complete, and with a
   * ServiceTimeoutError after `timeoutSeconds` (default: no limit). The run then continues.
   */
  result(options?: WaitOptions): Promise<Result>;
  /** Waits for the end, whatever the final status. */
  ended(options?: WaitOptions): Promise<Execution<Result>>;
  /** Cancels the run, or requests its worker to do so. Idempotent. */
  cancel(options?: RequestOptions): Promise<CancelWorkflowExecutionResponse>;
  /** Streams all past and future events of the run until it has ended. */
  follow(
    params?: { readonly after?: string | undefined },
    options?: RequestOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined>;
}

export interface WaitOptions extends RequestOptions {
  readonly timeoutSeconds?: number | undefined;
}

/** Poll interval, used while the service does not hold requests. */
const POLL_MS = 2000;

/** Operations that a handle calls; implemented by `Executions`. */
interface RunOperations {
  get(
    executionId: string,
    params?: { readonly waitForCompletion?: number | undefined },
    options?: RequestOptions,
  ): Promise<Execution>;
  cancel(executionId: string, options?: RequestOptions): Promise<CancelWorkflowExecutionResponse>;
  follow(
    executionId: string,
    params?: { readonly after?: string | undefined },
    options?: RequestOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined>;
}

/** Creates the handle of an execution. */
export function createRun<Result>(
  { transport, executions }: { readonly transport: Transport; readonly executions: RunOperations },
  executionId: string,
): Run<Result> {
  const run: Run<Result> = {
    executionId,
    get: async (options) => (await executions.get(executionId, {}, options)) as Execution<Result>,
    cancel: (options) => executions.cancel(executionId, options),
    follow: (params, options) => executions.follow(executionId, params, options),
    async result(options) {
      const { status, result, error } = await run.ended(options);
      if (status !== 'completed') throw new RunFailedError(executionId, status as RunFailedError['runStatus'], error);
      return result as Result;
    },
    async ended({ timeoutSeconds = Number.POSITIVE_INFINITY, signal } = {}) {
      const deadline = Date.now() + timeoutSeconds * 1000;
      for (;;) {
        const askedMs = Date.now();
        const left = Math.max(0, Math.floor((deadline - askedMs) / 1000));
        const state = await executions
          .get(executionId, { waitForCompletion: Math.min(transport.holdSeconds, left) }, { signal })
          .catch((error: unknown) => {
            throw aboutRun(error, executionId);
          });
        if (isTerminal(state.status)) return state as Execution<Result>;
        const leftMs = deadline - Date.now();
        if (leftMs <= 0)
          throw new ServiceTimeoutError(`${executionId} has not ended after ${timeoutSeconds} s; it continues`, {
            executionId,
          });
        // The service responds immediately when it is at its limit of held connections.
        await pause(Math.min(leftMs, Math.max(0, askedMs + POLL_MS - Date.now())), signal);
      }
    },
  };
  return run;
}

export interface BatchOptions extends RequestOptions {
  /** Maximum number of concurrent starts. Default 8. */
  readonly concurrency?: number | undefined;
  /** Idempotency key of the batch: for 24 hours, a repeated call with the same key and inputs starts nothing twice. */
  readonly idempotencyKey?: string | undefined;
}

/** Outcome of one input of a batch. */
export type BatchStart<Result = unknown> =
  | { readonly index: number; readonly run: Run<Result>; readonly error?: undefined }
  | { readonly index: number; readonly run?: undefined; readonly error: ServiceError };

/**
 * Starts a run for each input, with limited concurrency. Resolves to the outcomes in the order of the inputs. A refused
 * input does not stop the others. Rejects only for invalid arguments, or when the signal aborts.
 */
export async function startAll<In, Result>(
  inputs: readonly In[],
  start: (input: In, idempotencyKey: string) => Promise<Run<Result>>,
  { concurrency = 8, idempotencyKey, signal }: BatchOptions = {},
): Promise<BatchStart<Result>[]> {
  if (!(concurrency >= 1)) throw new TypeError('concurrency: must be at least 1');
  const batch = idempotencyKey ?? crypto.randomUUID();
  const started: BatchStart<Result>[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < inputs.length; index = next++) {
      signal?.throwIfAborted();
      try {
        started[index] = { index, run: await start(inputs[index] as In, `${batch}-${index}`) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        started[index] = { index, error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, inputs.length) }, work));
  return started;
}
