import type { StepPath, StepRecord, StepStatus } from '../port.ts';
import type { Run, TaskFrame } from './frames.ts';

/** Adds a change of a step to the trace. */
export function recordStep(
  run: Run,
  { name, kind, attempt }: Pick<TaskFrame, 'name' | 'kind' | 'attempt'>,
  step: StepPath,
  status: StepStatus,
  what: Pick<StepRecord, 'input' | 'output' | 'error'> = {},
): void {
  run.steps.push({ step, name, kind, status, attempt, at: run.at, ...what });
}
