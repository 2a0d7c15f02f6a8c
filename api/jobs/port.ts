import type { Db } from '../store/database.ts';

/** Adds work for a worker process, in the transaction of what asked for it. */
export interface JobQueue {
  /** Resolves to the job's id; undefined when one with the same `key` waits or runs already. Workers are woken when the transaction is through. */
  add(transaction: Db, job: NewJob): Promise<number | undefined>;
}

export interface NewJob {
  /** The kind of work; names the handler. */
  readonly queue: string;
  /** JSON. Secrets in it are the handler's to encrypt. */
  readonly payload: unknown;
  readonly key?: string;
  readonly priority?: number;
  readonly runAt?: Date;
  /** Tries in all. Default 5. */
  readonly maxAttempts?: number;
  readonly requestId?: string;
}

/** Does one job. What it rejects with decides: `PermanentJobFailure` fails it for good, anything else is tried again with growing pauses. */
export type JobHandler = (job: RunningJob) => Promise<unknown>;

export interface RunningJob {
  readonly id: number;
  readonly payload: unknown;
  readonly attempt: number;
  readonly requestId: string | undefined;
  /** Aborts when the lease is lost or the worker stops. */
  readonly signal: AbortSignal;
}

/** The job can't succeed however often it is tried. */
export class PermanentJobFailure extends Error {
  override readonly name = 'PermanentJobFailure';
}
