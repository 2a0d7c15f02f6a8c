import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionProgress: ExecutionProgressTable;
  }
}

/**
 * What changes with every step of a leased execution. A row exists from the claim until the lease ends. Triggers of `executions` return the state to the
 * execution when the lease ends without its end, and add the bytes to those of the execution. Nothing else reads it: what is pending or waiting has its state
 * in `executions`.
 */
export interface ExecutionProgressTable {
  executionId: string;
  /** That of the claim. A worker that lost the lease finds no row of its epoch. */
  epoch: number;
  /** The interpreter's position; null while that of the execution is the last one. */
  state: JsonColumn;
  stateFile: string | null;
  /** Written since the claim, and not yet in `executions.written_bytes`. */
  writtenBytes: number;
}
