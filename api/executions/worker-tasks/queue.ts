import type { WorkerLogger } from '#api/leases/port.ts';
import type { WakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { ERROR_TYPES } from '../engine/contract/standard-error.ts';
import { TaskFailure } from '../engine/contract/task-failure.ts';
import type { StepPath, WorkflowError } from '../engine/contract/workflow-error.ts';
import { PENDING, SIGNALLED } from '../engine/follow-ups.ts';
import type { ChildResult, RunTaskCommand } from '../engine/run/run-port.ts';
import type { ExecutionLease } from '../engine/worker/leased-executions.ts';
import type { JsonValue } from '../json-value.ts';
import { randomId } from '../random-id.ts';
import { holdParent } from '../store/leases.ts';
import type { PendingSignal, Signalled } from '../store/signals.ts';
import { MAX_INPUT_BYTES, MAX_WAITING, TASKS_WAIT } from './names.ts';
import { cancelTasksOfStep, cancelUnwantedTasks, deleteOldTasks, insertTask, reclaimTasks } from './store.ts';

/** Engine interface: queues tasks for external workers, and cleans up after workers or executions that ended. */
export interface WorkerTaskQueue {
  /**
   * Queues the task of a step unless it exists. Rejects with `TaskFailure` if it cannot be queued, and with another
   * error if the lease is lost.
   */
  start(parent: ExecutionLease, command: RunTaskCommand): Promise<void>;
  /** Cancels the tasks of all attempts of a step up to this one, which has ended. A later attempt may already run. */
  cancel(executionId: string, step: StepPath, attempt: number): Promise<void>;
  /** Requeues tasks with expired leases. */
  reclaim(): Promise<void>;
  /** Ends tasks that are no longer needed, and deletes old rows. */
  sweep(): Promise<void>;
}

const UNWANTED_EVERY_MS = 30_000;

export function createWorkerTaskQueue({
  database,
  logger,
  wakeUp,
}: {
  readonly database: Database;
  readonly logger: WorkerLogger;
  readonly wakeUp: WakeUp;
}): WorkerTaskQueue {
  let unwantedAt = performance.now();

  return {
    async start(parent, { step, attempt, task, name, idempotencyKey }) {
      if (task.kind !== 'worker') throw new Error('not a task of a worker');
      const input = JSON.stringify(task.input);
      const bytes = Buffer.byteLength(input);
      if (bytes > MAX_INPUT_BYTES)
        throw refused(413, `the input has ${bytes} bytes; a task of a worker has at most ${MAX_INPUT_BYTES}`);
      const { row } = parent;
      const queued = await inTransaction(database, async (transaction) => {
        if (!(await holdParent(transaction, parent))) throw new Error('the lease of the parent execution is lost');
        return insertTask(transaction, {
          id: randomId('wtk_'),
          executionId: row.id,
          step,
          attempt,
          workflowId: row.workflowId ?? '',
          queue: task.queue,
          type: task.type,
          name,
          idempotencyKey,
          priority: row.priority,
          input,
          deadline: task.deadline ?? null,
          maxWaiting: MAX_WAITING,
        });
      });
      if (queued === 'full')
        throw refused(429, `${MAX_WAITING} tasks of this account wait for a worker; no more are queued`);
      if (queued === 'queued') wakeUp(`${TASKS_WAIT}${task.queue}`);
    },

    cancel: (executionId, step, attempt) => cancelTasksOfStep(database, executionId, { step, attempt }),

    async reclaim() {
      const { reclaimed, signalled } = await reclaimTasks(database);
      for (const { id, queue, worker, failed } of reclaimed)
        logger.warn({ task: id, queue, worker, failed }, 'lease of an external worker expired');
      wakeUp(...new Set(reclaimed.map(({ queue }) => `${TASKS_WAIT}${queue}`)), ...namesOf(signalled));
    },

    async sweep() {
      await deleteOldTasks(database);
      if (performance.now() - unwantedAt < UNWANTED_EVERY_MS) return;
      unwantedAt = performance.now();
      await cancelUnwantedTasks(database);
    },
  };
}

/** Returns the notification names that wake the workers of signalled executions. */
export function namesOf(signalled: readonly Signalled[]): string[] {
  return signalled.map(({ id, held }) => (held ? `${SIGNALLED}${id}` : PENDING));
}

/** Returns the outcome of an external task; undefined for a signal of a sub-workflow. */
export function workerOutcome({ payload, target, attempt }: PendingSignal): ChildResult | undefined {
  const { workerTask, output, error } = payload as {
    readonly workerTask?: string;
    readonly output?: JsonValue;
    readonly error?: WorkflowError;
  };
  if (workerTask === undefined) return undefined;
  const at = { step: target, attempt: attempt ?? 1 };
  return error === undefined ? { ...at, output: output ?? null } : { ...at, error: { ...error, instance: target } };
}

function refused(status: number, detail: string): TaskFailure {
  return new TaskFailure({ type: `${ERROR_TYPES}runtime`, status, title: 'Task queue', detail });
}
