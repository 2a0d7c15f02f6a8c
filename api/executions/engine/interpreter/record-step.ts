import type { StepRecord, StepStatus } from '../contract/port.ts';
import type { StepPath } from '../contract/workflow-error.ts';
import type { Run, TaskFrame } from './frames.ts';
import { countRecorded } from './value-budget.ts';

/** Adds a change of a step to the trace. Throws if its input or output exceeds the budget of values. */
export function recordStep(
  run: Run,
  { name, kind, attempt }: Pick<TaskFrame, 'name' | 'kind' | 'attempt'>,
  step: StepPath,
  status: StepStatus,
  what: Pick<StepRecord, 'input' | 'output' | 'error'> = {},
): void {
  countRecorded(run, what.input, 'the input', step);
  countRecorded(run, what.output, 'the output', step);
  run.steps.push({ step, name, kind, status, attempt, at: run.at, ...what });
}
