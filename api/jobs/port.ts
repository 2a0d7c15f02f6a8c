import type { Db } from '#api/postgres/database.ts';

/** Adds jobs in the transaction of the change that requests them. */
export interface JobQueue {
  /**
   * Adds a job and resolves to its id. Resolves to undefined if the queue already has a waiting or running job with the
   * same `key`. The transaction must be one of `inTransaction`: its commit wakes the workers.
   */
  add(transaction: Db, job: NewJob): Promise<number | undefined>;
}

export interface NewJob {
  /** Kind of work; selects the handler. */
  readonly queue: string;
  /** JSON. It is stored in plain text: encrypt secrets. */
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
 * Runs one job. The resolved value is stored as the result, as JSON. A rejection with `PermanentJobFailure` fails the
 * job. Any other rejection is retried with growing delays. A worker may die at any moment, and the job then runs again.
 * So effects must be idempotent, or be written in a transaction with `finish`.
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
   * Ends the job in the transaction of its effects (one of `inTransaction`): either both are committed or none. Rejects
   * with `LeaseLost` if another worker has the job. Do not catch this rejection, because it must roll back the effects.
   */
  finish(transaction: Db, result?: unknown): Promise<void>;
}

/** The handler of a queue and its limits. */
export interface JobQueueSettings {
  readonly handle: JobHandler;
  /**
   * Maximum number of jobs of this queue that one worker runs concurrently. Default 4. Each queue has separate slots,
   * so a slow queue does not delay others.
   */
  readonly concurrency?: number;
  /** Timeout of a try, in ms. Default 10 minutes. */
  readonly timeoutMs?: number;
  /** Period in ms. In each period, the workers together add one job with payload null. */
  readonly every?: number;
}

/** Handlers by queue name. */
export type JobHandlers = Readonly<Record<string, JobQueueSettings>>;

/** The job failed because a dependency requested a pause before the next try. */
export class JobPostponed extends Error {
  override readonly name = 'JobPostponed';
  readonly delayMs: number;

  constructor(message: string, delayMs: number) {
    super(message);
    this.delayMs = delayMs;
  }
}

/** The job cannot succeed and is not retried. */
export class PermanentJobFailure extends Error {
  override readonly name = 'PermanentJobFailure';
}
