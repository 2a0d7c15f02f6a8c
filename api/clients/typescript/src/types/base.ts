/** States of an execution; the last four are final. */
export type ExecutionStatus =
  | 'created'
  | 'pending'
  | 'running'
  | 'waiting'
  | 'finalizing'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'rejected';

/** Status of a run in the response. `timeout`: it did not end within the wait, and continues. */
export type RunStatus = ExecutionStatus | 'timeout';

/** True for a final status. */
export function isTerminal(status: ExecutionStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'rejected';
}

/** Position of a page in a list. */
export interface Page {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** A page of a list. */
export interface DataPage<T> extends Page {
  readonly data: readonly T[];
}

export interface PageParams {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** An instant: a Date, or ISO 8601. */
export type Instant = Date | string;
