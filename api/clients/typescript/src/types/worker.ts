/** A task of a workflow (`call: trapline.worker`) that this process has leased. */
export interface LeasedTask {
  /** `wtk_…` */
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  /** Name of the step. */
  readonly name: string;
  readonly input: unknown;
  /** The same for every lease and every retry of the step. Pass it to services that you call, so that they can deduplicate. */
  readonly idempotencyKey: string;
  /** Fencing token of the lease. It increases with every lease of the task. */
  readonly fencingToken: number;
  readonly leaseUntil: string;
  /** End of the task by its time-out. Null without a time-out. */
  readonly deadline: string | null;
  /** Number of the attempt of the step, from 1. */
  readonly attempt: number;
  /** Number of expired leases of this task. Above 0, its work may have been done in part or completely. */
  readonly losses: number;
  readonly executionId: string;
  readonly workflowId: string;
  /** Path of the step in the definition. */
  readonly step: string;
}

export interface PollTasksResponse {
  /** Empty if no task was available in time. */
  readonly tasks: readonly LeasedTask[];
}

export interface ExtendTaskResponse {
  /** `cancelled`: the execution no longer waits for the task. */
  readonly state: 'leased' | 'cancelled';
  readonly leaseUntil: string | null;
}

export interface WorkerTaskState {
  readonly state: 'waiting' | 'completed' | 'failed';
}

export interface WorkerQueue {
  readonly queue: string;
  /** Null: the operator. */
  readonly account: string | null;
  readonly waiting: number;
  readonly leased: number;
  /** Time for which the oldest queued task has waited; null if the queue is empty. */
  readonly oldestSeconds: number | null;
  readonly workers: readonly { readonly name: string; readonly lastSeenAt: string | null; readonly leased: number }[];
}

export interface ListWorkerQueuesResponse {
  readonly data: readonly WorkerQueue[];
}
