import type { ColumnType, Generated, Selectable } from 'kysely';
import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    workerTasks: WorkerTasksTable;
    workersSeen: WorkersSeenTable;
  }
}

/**
 * A task of a workflow for an external worker. The row is deleted some minutes after the task has ended; the trace of
 * the execution remains.
 */
export interface WorkerTasksTable {
  /** `wtk_…` */
  id: string;
  /** Order among tasks with the same priority. */
  seq: ColumnType<number, never, never>;
  executionId: string;
  step: string;
  attempt: number;
  workflowId: string;
  /** Lane of the owner of the workflow, or of the operator. Only workers of this account may lease the task. */
  lane: string;
  queue: string;
  /** Selects the handler of the worker. */
  type: string;
  /** Name of the step. */
  name: string;
  idempotencyKey: string;
  /** Null after it has ended. */
  input: JsonColumn;
  inputBytes: number;
  /** When the timeout of the step ends it. */
  deadline: Date | null;
  priority: Generated<number>;
  status: Generated<'waiting' | 'leased' | 'completed' | 'failed' | 'cancelled'>;
  /** Fencing token of its latest lease, raised by every lease. */
  epoch: Generated<number>;
  /** Number of expired leases. */
  losses: Generated<number>;
  worker: string | null;
  leaseUntil: Date | null;
  createdAt: Generated<Date>;
  endedAt: Date | null;
}

export type WorkerTask = Selectable<WorkerTasksTable>;

/** External workers by the names they report. `lane`: the account of the key. */
export interface WorkersSeenTable {
  lane: string;
  queue: string;
  worker: string;
  firstSeenAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
}
