import type { Selectable } from 'kysely';
import type { StepStatus } from '../engine/contract/port.ts';
import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionSteps: ExecutionStepsTable;
  }
}

/** The trace: one row per step and attempt, in its current state. */
export interface ExecutionStepsTable {
  executionId: string;
  /** Path in the definition with loop iterations; see `StepPath`. */
  step: string;
  attempt: number;
  name: string;
  kind: string;
  status: StepStatus;
  input: JsonColumn;
  inputFile: string | null;
  output: JsonColumn;
  outputFile: string | null;
  error: JsonColumn;
  /**
   * Positions of its insert and of its last change in a sequence over all traces. A reader that has seen up to N
   * requests `changed > N`.
   */
  began: number;
  changed: number;
  startedAt: Date;
  endedAt: Date | null;
}

export type ExecutionStep = Selectable<ExecutionStepsTable>;
