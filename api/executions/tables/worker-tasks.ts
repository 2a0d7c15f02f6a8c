import type { ColumnType, Generated, Selectable } from 'kysely';
import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    workerTasks: WorkerTasksTable;
    workersSeen: WorkersSeenTable;
  }
}

/** A task of a workflow that an external worker does. A row is deleted some minutes after its task ended; the trace of the execution stays. */
export interface WorkerTasksTable {
  /** `wtk_…` */
  id: string;
  /** Order among tasks of one priority. */
  seq: ColumnType<number, never, never>;
  executionId: string;
  step: string;
  attempt: number;
  workflowId: string;
  /** Owner of the workflow, or the operator's lane: whose workers may lease it. */
  lane: string;
  queue: string;
  /** Which handler of a worker does it. */
  type: string;
  /** Name of the step. */
  name: string;
  idempotencyKey: string;
  /** Null once it has ended. */
  input: JsonColumn;
  inputBytes: number;
  /** When the time-out of the step ends it. */
  deadline: Date | null;
  priority: Generated<number>;
  status: Generated<'waiting' | 'leased' | 'completed' | 'failed' | 'cancelled'>;
  /** The fencing token of its latest lease: raised by every lease. */
  epoch: Generated<number>;
  /** Leases of it that expired. */
  losses: Generated<number>;
  worker: string | null;
  leaseUntil: Date | null;
  createdAt: Generated<Date>;
  endedAt: Date | null;
}

export type WorkerTask = Selectable<WorkerTasksTable>;

/** External workers by the names they give themselves. `lane`: the account of the key. */
export interface WorkersSeenTable {
  lane: string;
  queue: string;
  worker: string;
  firstSeenAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
}
