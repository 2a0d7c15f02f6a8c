import type { Db } from '#api/postgres/database.ts';

/** Adds jobs in the transaction of the change that requests them. */
export interface JobQueue {
  /**
   * Resolves to the job's id; undefined when a job of the queue with the same `key` waits or runs. The transaction must be one of
   * `inTransaction`: its commit wakes the workers.
   */
  add(transaction: Db, job: NewJob): Promise<number | undefined>;
}

export interface NewJob {
  /** The kind of work; names the handler. */
  readonly queue: string;
  /** JSON. It is stored as it is: encrypt secrets. */
  readonly payload: unknown;
  readonly key?: string;
  /** Jobs with a higher priority run first. Default 0. */
  readonly priority?: number;
  readonly runAt?: Date;
  /** Maximum number of tries. Default 5. */
  readonly maxAttempts?: number;
  readonly requestId?: string;
}

/**
 * Runs one job. The value it resolves to is stored as the result, JSON. A rejection with `PermanentJobFailure` fails the job; any other rejection is retried with
 * growing delays. A worker may die at any moment and the job runs again, so effects must be idempotent, or be written in a transaction with `finish`.
 */
export type JobHandler = (job: RunningJob) => Promise<unknown>;

export interface RunningJob {
  readonly id: number;
  readonly payload: unknown;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly requestId: string | undefined;
  /** Aborts when the lease is lost, after the timeout, or when the worker stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the job in the transaction of its effects (one of `inTransaction`): both are committed, or neither is. Rejects with `LeaseLost` when
   * another worker has the job. Let the rejection through, so that the effects are rolled back.
   */
  finish(transaction: Db, result?: unknown): Promise<void>;
}

/** The handler of a queue and its limits. */
export interface JobQueueSettings {
  readonly handle: JobHandler;
  /** Maximum jobs of this queue that one worker runs at a time. Default 4. Each queue has its own slots, so a slow queue does not delay others. */
  readonly concurrency?: number;
  /** How long a job may take, ms. Afterwards the try has failed. Default 10 minutes. */
  readonly timeoutMs?: number;
  /** Period, ms: the worker itself adds a job with payload null each time, one for all workers. */
  readonly every?: number;
}

/** Handlers by the name of their queue. */
export type JobHandlers = Readonly<Record<string, JobQueueSettings>>;

/** The job failed, and what it needs asked for a pause before the next try. */
export class JobPostponed extends Error {
  override readonly name = 'JobPostponed';
  readonly delayMs: number;

  constructor(message: string, delayMs: number) {
    super(message);
    this.delayMs = delayMs;
  }
}

/** The job cannot succeed: it is not retried. */
export class PermanentJobFailure extends Error {
  override readonly name = 'PermanentJobFailure';
}
