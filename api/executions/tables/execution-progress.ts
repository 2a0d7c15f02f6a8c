import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionProgress: ExecutionProgressTable;
  }
}

/**
 * Columns that change with every step of a leased execution. A row exists from the claim until the lease ends. If the
 * lease ends before the execution does, triggers of `executions` copy the state back and add the bytes to those of the
 * execution. Pending and waiting executions have their state in `executions`.
 */
export interface ExecutionProgressTable {
  executionId: string;
  /** Epoch of the claim. A worker that lost the lease finds no row with its epoch. */
  epoch: number;
  /** Position of the interpreter. Null while the state in `executions` is current. */
  state: JsonColumn;
  stateFile: string | null;
  /** Bytes written since the claim, not yet part of `executions.written_bytes`. */
  writtenBytes: number;
}
