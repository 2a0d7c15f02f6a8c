import type { Selectable } from 'kysely';
import type { StepStatus } from '../engine/port.ts';
import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionSteps: ExecutionStepsTable;
  }
}

/** The trace: one row a step and attempt, as it is now. */
export interface ExecutionStepsTable {
  executionId: string;
  /** Path in the definition, with turns of loops; see `StepPath`. */
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
  /** Rises over all traces: when the row came, and when it last changed. A reader that has seen up to N asks for `changed > N`. */
  began: number;
  changed: number;
  startedAt: Date;
  endedAt: Date | null;
}

export type ExecutionStep = Selectable<ExecutionStepsTable>;
