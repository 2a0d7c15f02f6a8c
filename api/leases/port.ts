/**
 * One claim of a row. `epoch` is a fencing token: raised by each claim, so a worker that lost its lease cannot write.
 */
export interface Claim<Id = unknown> {
  readonly id: Id;
  readonly epoch: number;
}

/** A row as returned by its claim. */
export interface ClaimedRow<Id = unknown> extends Claim<Id> {
  /**
   * Number of workers that died while they leased the row, since its last outcome. Above 0, the row is a suspect: see
   * `isolation.ts`.
   */
  readonly losses: number;
}

/** The right of this worker to work on a row and to write its outcome. */
export interface Lease<R extends ClaimedRow = ClaimedRow> extends Claim<R['id']> {
  readonly row: R;
  /** Aborts with `LeaseLost`, with an `AbortError` when the worker stops, or with a reason of the client. */
  readonly abort: AbortController;
  /**
   * Expiry in the time base of `performance.now()`, counted from before the claim was sent. Afterwards another worker
   * may claim the row.
   */
  leaseEnds: number;
  /** True while the outcome is being written. A failed renewal then no longer aborts the work. */
  settled: boolean;
  /** True for a suspect that runs alone. */
  alone: boolean;
}

/** Another worker has the row or may claim it. Nothing may be written any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** `renewed: false`: the lease is valid but not extended, because its row is currently locked. */
export interface Renewal {
  readonly renewed: boolean;
}

export interface ClaimAnswer<R> {
  readonly rows: readonly R[];
  /** True if another claim may immediately return more rows. */
  readonly more: boolean;
  /** True if nothing is left to claim. A free slot then does not trigger another claim. */
  readonly empty: boolean;
}

/** Result of the work on a lease. */
export interface WorkEnd {
  /** False if the outcome was not written, because the lease is lost or the worker stops. */
  readonly written: boolean;
  /** True if the row is due again. The worker then claims immediately. */
  readonly due?: boolean;
  /** Runs after the lease was removed. It must not reject. */
  readonly after?: () => Promise<void>;
}

/**
 * The queries and the work of a client of the lease engine. Queries may reject; the engine logs the error and retries.
 */
export interface LeasedWork<R extends ClaimedRow> {
  /** Log fields that identify a row. */
  facts(row: R): object;
  /** Key of a group, such as a queue or an owner. Concurrency limits apply per group. */
  groupOf(row: R): string;
  /**
   * Returns the query that claims due rows within the concurrency limits, without suspects. Returns undefined if no
   * slot is free.
   */
  claim(countByGroup: ReadonlyMap<string, number>): (() => Promise<ClaimAnswer<R>>) | undefined;
  /** Claims the suspect with the most losses. `alone`: the worker leases nothing else until `endAlone`. */
  claimSuspect(alone: boolean): Promise<R | undefined>;
  endAlone(claim: Claim<R['id']>): Promise<unknown>;
  /** Extends all leases of the worker in one statement. A lease missing from the result is lost. */
  renew(leases: readonly Lease<R>[]): Promise<ReadonlyMap<Lease<R>, Renewal>>;
  /** Prepares work on rows of one claim, and returns the function that works on one of them. That function must not reject. */
  begin(leases: readonly Lease<R>[]): (lease: Lease<R>) => Promise<WorkEnd>;
  /**
   * Runs once per poll interval, one call at a time: finds suspects, expired leases and other maintenance. It must not
   * reject.
   */
  maintain(): Promise<void>;
  /** Called for a notification with these names. Undefined means that notifications may have been missed. */
  onNotified(names: readonly string[] | undefined): void;
  /** Resolves when no outcome is being written. */
  idle?(): Promise<void>;
  /** Releases leases of a worker that stops, or of a live worker that lost them. Resolves to the names to notify. */
  release(leases: readonly Lease<R>[]): Promise<readonly string[]>;
  /** Reverts the losses of expired leases whose worker is alive, unless another worker has claimed the row. */
  retract(leases: readonly Lease<R>[]): Promise<unknown>;
}

/** The subset of pino that workers use. */
export interface WorkerLogger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
