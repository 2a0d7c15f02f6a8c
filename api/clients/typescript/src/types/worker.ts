/** A task of a workflow (`call: trapline.worker`) that this process has leased. */
export interface LeasedTask {
  /** `wtk_…` */
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  /** Name of the step. */
  readonly name: string;
  readonly input: unknown;
  /** The same for every lease and every retry of the step: give it to services that you call, so that they recognise a repetition. */
  readonly idempotencyKey: string;
  /** Of the lease; it rises with every lease of the task. */
  readonly fencingToken: number;
  readonly leaseUntil: string;
  /** The time-out of the task ends it then; null without one. */
  readonly deadline: string | null;
  /** Which attempt of the step it is, from 1. */
  readonly attempt: number;
  /** Leases of this task that expired before: above 0 its work may have been done, in part or in whole. */
  readonly losses: number;
  readonly executionId: string;
  readonly workflowId: string;
  /** Path of the step in the definition. */
  readonly step: string;
}

export interface PollTasksResponse {
  /** Empty when no task came in time. */
  readonly tasks: readonly LeasedTask[];
}

export interface ExtendTaskResponse {
  /** `cancelled`: the execution does not wait for the task any more. */
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
  /** For how long the oldest waiting task has waited; null when none does. */
  readonly oldestSeconds: number | null;
  readonly workers: readonly { readonly name: string; readonly lastSeenAt: string | null; readonly leased: number }[];
}

export interface ListWorkerQueuesResponse {
  readonly data: readonly WorkerQueue[];
}
