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

/** How a run stands when its answer comes; `timeout`: it outlived the wait and goes on. */
export type RunStatus = ExecutionStatus | 'timeout';

/** Whether an execution has come to its end. */
export function isTerminal(status: ExecutionStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'rejected';
}

/** Where a list stands. */
export interface Page {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** A list, by pages. */
export interface DataPage<T> extends Page {
  readonly data: readonly T[];
}

export interface PageParams {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** An instant: a Date, or ISO 8601. */
export type Instant = Date | string;
