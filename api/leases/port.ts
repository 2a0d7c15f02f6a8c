/** One claim of a row. `epoch` rises with each claim, so a worker that lost its lease cannot write. */
export interface Claim<Id = unknown> {
  readonly id: Id;
  readonly epoch: number;
}

/** A row as its claim returned it. */
export interface ClaimedRow<Id = unknown> extends Claim<Id> {
  /** Workers that died while they held the row, since its last outcome. Above 0 the row is a suspect: see `isolation.ts`. */
  readonly losses: number;
}

/** The right of this worker to work on a row and to write its outcome. */
export interface Lease<R extends ClaimedRow = ClaimedRow> extends Claim<R['id']> {
  readonly row: R;
  /** Aborts with `LeaseLost`, with an `AbortError` when the worker stops, or with what the client of the engine passes. */
  readonly abort: AbortController;
  /** By `performance.now()`: afterwards another worker may claim the row. Counted from before the claim was sent. */
  leaseEnds: number;
  /** The outcome is being written: a renewal that fails no longer aborts the work. */
  settled: boolean;
  /** A suspect that runs alone. */
  alone: boolean;
}

/** Another worker has the row, or may claim it: nothing may be written any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** `renewed: false`: the lease is valid but was not extended, because its row is locked at the moment. */
export interface Renewal {
  readonly renewed: boolean;
}

export interface ClaimAnswer<R> {
  readonly rows: readonly R[];
  /** True when another claim may return more rows at once. */
  readonly more: boolean;
  /** True when nothing is left to claim: a slot that becomes free is no reason to claim again. */
  readonly empty: boolean;
}

/** How the work on a lease ended. */
export interface WorkEnd {
  /** False when the outcome was not written, because the lease is lost or the worker stops. */
  readonly written: boolean;
  /** True when the row is due again: the worker claims at once. */
  readonly due?: boolean;
  /** Runs after the lease was removed. It must not reject. */
  readonly after?: () => Promise<void>;
}

/** What a client of the lease engine supplies: its queries and its work. Queries may reject; the engine logs that and tries again. */
export interface LeasedWork<R extends ClaimedRow> {
  /** Log fields that identify a row. */
  facts(row: R): object;
  /** Concurrency limits apply to groups of rows, such as a queue or an owner. */
  groupOf(row: R): string;
  /** Returns the query that claims due rows within the concurrency limits, suspects excluded. Undefined: no slot is free. */
  claim(countByGroup: ReadonlyMap<string, number>): (() => Promise<ClaimAnswer<R>>) | undefined;
  /** Claims the suspect that lost the most workers. `alone`: the worker holds nothing else until `endAlone`. */
  claimSuspect(alone: boolean): Promise<R | undefined>;
  endAlone(claim: Claim<R['id']>): Promise<unknown>;
  /** Extends all leases of the worker in one statement. A lease that is not in the answer is lost. */
  renew(leases: readonly Lease<R>[]): Promise<ReadonlyMap<Lease<R>, Renewal>>;
  /** Prepares work on rows of one claim, and returns the function that works on one of them. That function must not reject. */
  begin(leases: readonly Lease<R>[]): (lease: Lease<R>) => Promise<WorkEnd>;
  /** Runs once per poll interval, one call at a time: finds suspects, expired leases and other maintenance. It must not reject. */
  maintain(): Promise<void>;
  /** A notification arrived, with these names. Undefined: any may have been missed. */
  onNotified(names: readonly string[] | undefined): void;
  /** Resolves when no outcome is being written. */
  idle?(): Promise<void>;
  /** Releases leases of a worker that stops, or that lost them while it is alive. Resolves to the names to notify with. */
  release(leases: readonly Lease<R>[]): Promise<readonly string[]>;
  /** The leases expired, and their worker is alive: takes back that they counted as its death, where no other worker has claimed the row. */
  retract(leases: readonly Lease<R>[]): Promise<unknown>;
}

/** The part of pino that workers use. */
export interface WorkerLogger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
