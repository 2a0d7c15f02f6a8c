import type { Db } from '#api/postgres/database.ts';

/** Adds work for a worker process, in the transaction of what asked for it. */
export interface JobQueue {
  /**
   * Resolves to the job's id; undefined when one with the same `key` waits or runs already. The transaction has to be one of
   * `inTransaction`: workers are woken when it is through.
   */
  add(transaction: Db, job: NewJob): Promise<number | undefined>;
}

export interface NewJob {
  /** The kind of work; names the handler. */
  readonly queue: string;
  /** JSON. Secrets in it are the handler's to encrypt. */
  readonly payload: unknown;
  readonly key?: string;
  /** Greater ones first. Default 0. */
  readonly priority?: number;
  readonly runAt?: Date;
  /** Tries in all. Default 5. */
  readonly maxAttempts?: number;
  readonly requestId?: string;
}

/**
 * Does one job; what it resolves to is kept as the job's result, JSON. What it rejects with decides: `PermanentJobFailure` fails it for good,
 * anything else is tried again with growing pauses. A worker may die at any moment and another begins anew, so what is done twice has to do
 * no harm, or to be done in a transaction with `finish`.
 */
export type JobHandler = (job: RunningJob) => Promise<unknown>;

export interface RunningJob {
  readonly id: number;
  readonly payload: unknown;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly requestId: string | undefined;
  /** Aborts when the lease is lost, the time is over, or the worker stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the job in the transaction of its effects (one of `inTransaction`): both are done, once, or neither is. Rejects with `JobLeaseLost`
   * when another worker has the job by now; let it through, so that the effects are undone.
   */
  finish(transaction: Db, result?: unknown): Promise<void>;
}

/** How one queue is worked on. */
export interface JobQueueSettings {
  readonly handle: JobHandler;
  /** Jobs of this queue at once in one worker. Default 4. Each queue has places of its own, so a long one holds no other up. */
  readonly concurrency?: number;
  /** How long a job may take, ms; then it counts as failed once. Default 10 minutes. */
  readonly timeoutMs?: number;
  /** ms. The worker itself adds a job whenever so much time has passed, one at a time for all workers; its payload is null. */
  readonly every?: number;
}

/** Handlers by the name of their queue. */
export type JobHandlers = Readonly<Record<string, JobQueueSettings>>;

/** The job can't succeed however often it is tried. */
export class PermanentJobFailure extends Error {
  override readonly name = 'PermanentJobFailure';
}

/** Another worker has the job, or will have it: nothing may be written any more. */
export class JobLeaseLost extends Error {
  override readonly name = 'JobLeaseLost';
}

/** pino, as far as the parts of the queue use it. */
export interface JobLogger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
