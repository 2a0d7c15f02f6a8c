import { pathOf, type RequestOptions } from './call.ts';
import type { Transport } from './transport.ts';
import type {
  ExtendTaskResponse,
  LeasedTask,
  ListWorkerQueuesResponse,
  PollTasksResponse,
  WorkerTaskState,
} from './types/worker.ts';

export interface PollTasksParams {
  readonly queue: string;
  /** Leases only tasks of these types. Default: all types. */
  readonly types?: readonly string[] | undefined;
  /** Name of this process in the list of workers. */
  readonly worker?: string | undefined;
  /** At most 20. Default 1. */
  readonly maxTasks?: number | undefined;
  /** Default 60. */
  readonly leaseSeconds?: number | undefined;
  /** Seconds for which the response is held while no task is available. Default 30. */
  readonly waitSeconds?: number | undefined;
}

/** Report of a worker about a failed task. */
export interface TaskFailureParams {
  readonly message: string;
  /** False: `retry` of the workflow does not repeat the step. Default true. */
  readonly retryable?: boolean | undefined;
  /** `type` of the error, a URI. */
  readonly type?: string | undefined;
  /** `status` of the error. Default 500. */
  readonly status?: number | undefined;
}

/** Requests of workers, which `createWorker` sends. A 409 means that the lease has expired or the task has ended. */
export interface WorkerTasks {
  poll(params: PollTasksParams, options?: RequestOptions): Promise<PollTasksResponse>;
  extend(
    task: Pick<LeasedTask, 'id' | 'fencingToken'>,
    params?: { readonly leaseSeconds?: number | undefined },
    options?: RequestOptions,
  ): Promise<ExtendTaskResponse>;
  complete(
    task: Pick<LeasedTask, 'id' | 'fencingToken'>,
    output: unknown,
    options?: RequestOptions,
  ): Promise<WorkerTaskState>;
  fail(
    task: Pick<LeasedTask, 'id' | 'fencingToken'>,
    failure: TaskFailureParams,
    options?: RequestOptions,
  ): Promise<WorkerTaskState>;
  /** Releases the task to its queue. */
  release(task: Pick<LeasedTask, 'id' | 'fencingToken'>, options?: RequestOptions): Promise<WorkerTaskState>;
  /** Lists queues with their pending tasks and polling workers. Requires a key that may read workflows. */
  queues(options?: RequestOptions): Promise<ListWorkerQueuesResponse>;
}

const TASKS = '/api/worker-tasks';
const WAIT_SECONDS = 30;

export function createWorkerTasks(transport: Transport): WorkerTasks {
  const about = async <T>(
    { id, fencingToken }: Pick<LeasedTask, 'id' | 'fencingToken'>,
    action: string,
    body: object,
    options: RequestOptions = {},
  ): Promise<T> =>
    transport.json({
      method: 'POST',
      path: TASKS + pathOf(id, action),
      json: { fencingToken, ...body },
      // The fencing token makes a second request for the same lease harmless.
      repeatable: 'always',
      ...options,
    });
  return {
    poll: ({ waitSeconds = WAIT_SECONDS, ...params }, options) =>
      transport.json({
        method: 'POST',
        path: `${TASKS}/poll`,
        json: { ...params, waitSeconds: Math.min(waitSeconds, transport.holdSeconds) },
        ...options,
      }),
    extend: (task, params = {}, options) => about(task, 'extend', params, options),
    complete: (task, output, options) => about(task, 'complete', { output: output ?? null }, options),
    fail: (task, failure, options) => about(task, 'fail', failure, options),
    release: (task, options) => about(task, 'release', {}, options),
    queues: (options) => transport.json({ method: 'GET', path: '/api/worker-queues', ...options }),
  };
}
