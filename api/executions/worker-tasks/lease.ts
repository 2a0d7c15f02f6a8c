import { ERROR_TYPES } from '../engine/contract/standard-error.ts';
import type { WorkflowError } from '../engine/contract/workflow-error.ts';
import type { WorkerTask } from '../tables/worker-tasks.ts';

/** Maximum number of expired leases of a task before it fails. It removes a task that ends its workers. */
export const MAX_LOSSES = 10;

/** State of a task, as read for a request about its lease. */
export interface FoundTask extends Pick<WorkerTask, 'status' | 'epoch' | 'losses'> {
  /** By the clock of the database. */
  readonly expired: boolean;
  /** True while the execution and the step wait for it. */
  readonly wanted: boolean;
}

/** Action of a worker on its lease. */
export type LeaseAction = 'extend' | 'complete' | 'fail' | 'release';

/** Why a lease does not allow the action. `cancelled`: the execution no longer needs the result. */
export interface LeaseRefusal {
  readonly reason: 'cancelled' | 'expired' | 'leased-again' | 'ended' | 'not-leased';
  readonly message: string;
}

/**
 * Explains a request that changed no row. `repeated`: the same worker ended the task in the same way before and its
 * response was lost, so the request succeeds again. Undefined: the task was changed concurrently, and the request can
 * be repeated.
 */
export function judgeLease(
  task: FoundTask,
  { token, action }: { readonly token: number; readonly action: LeaseAction },
): LeaseRefusal | 'repeated' | undefined {
  const { status, epoch, expired, wanted } = task;
  const own = epoch === token;
  if (own && ((status === 'completed' && action === 'complete') || (status === 'failed' && action === 'fail')))
    return 'repeated';
  if (own && status === 'waiting' && action === 'release') return 'repeated';
  if (status === 'cancelled' || ((status === 'leased' || status === 'waiting') && !wanted))
    return refusal('cancelled', 'the execution does not wait for this task any more: stop working on it');
  if (status === 'completed' || status === 'failed') return refusal('ended', `the task is ${status} already`);
  if (!own && token < epoch)
    return refusal(
      'leased-again',
      `the lease with fencing token ${token} expired or was released, and the task was leased again with token ${epoch}: this answer is not accepted`,
    );
  if (token !== epoch) return refusal('not-leased', `the task has no lease with fencing token ${token}`);
  if (status === 'waiting' || expired)
    return refusal('expired', `the lease with fencing token ${token} has expired: this answer is not accepted`);
  return undefined;
}

function refusal(reason: LeaseRefusal['reason'], message: string): LeaseRefusal {
  return { reason, message };
}

/** A failure that a worker reports. */
export interface ReportedFailure {
  readonly message: string;
  /** If false, `retry` of the workflow does not repeat the task. */
  readonly retryable: boolean;
  readonly type?: string | undefined;
  readonly status?: number | undefined;
}

/** Returns the error for the workflow. */
export function workerError({ message, retryable, type, status }: ReportedFailure): WorkflowError {
  return {
    type: type ?? `${ERROR_TYPES}runtime`,
    status: status ?? 500,
    title: 'Worker failed',
    detail: message,
    ...(retryable ? {} : { retryable: false }),
  };
}

/** Returns the error of a task whose leases expired `MAX_LOSSES` times. */
export function lostError(): WorkflowError {
  return {
    type: `${ERROR_TYPES}runtime`,
    status: 500,
    title: 'Workers lost',
    detail: `the leases of ${MAX_LOSSES} workers on this task expired without an answer`,
  };
}
