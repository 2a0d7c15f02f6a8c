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
  /** Only tasks of these types. Default: of any. */
  readonly types?: readonly string[] | undefined;
  /** Name of this process in the list of workers. */
  readonly worker?: string | undefined;
  /** At most 20. Default 1. */
  readonly maxTasks?: number | undefined;
  /** Default 60. */
  readonly leaseSeconds?: number | undefined;
  /** For how long the answer is held while no task waits. Default 30. */
  readonly waitSeconds?: number | undefined;
}

/** What a worker reports of a task that failed. */
export interface TaskFailureParams {
  readonly message: string;
  /** False: no `retry` of the workflow repeats the step. Default true. */
  readonly retryable?: boolean | undefined;
  /** `type` of the error, a URI. */
  readonly type?: string | undefined;
  /** `status` of the error. Default 500. */
  readonly status?: number | undefined;
}

/** The requests of workers, which `createWorker` sends. A 409 says that the lease has expired, or that the task has ended. */
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
  /** Gives the task back to its queue. */
  release(task: Pick<LeasedTask, 'id' | 'fencingToken'>, options?: RequestOptions): Promise<WorkerTaskState>;
  /** Queues, with what waits in them and the workers that ask for it. Needs a key that may read workflows. */
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
      // The fencing token makes a second request about the same lease harmless.
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
