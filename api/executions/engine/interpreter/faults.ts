import type { StepPath, WorkflowError } from '../port.ts';
import { type StandardError, standardError } from '../standard-error.ts';

/** Thrown inside the interpreter where a task fails; caught where the task ends. `fatal` is not to be caught by `try`. */
export class Fault extends Error {
  readonly error: WorkflowError;
  readonly fatal: boolean;
  constructor(error: WorkflowError, fatal = false) {
    super(error.detail ?? error.title ?? error.type);
    this.error = error;
    this.fatal = fatal;
  }
}

export const fault = (type: StandardError, detail: string, instance: StepPath): Fault =>
  new Fault(standardError(type, detail, instance));

/** What ends a loop without end. */
export const tooManySteps = ({ stepsPerRun }: { readonly stepsPerRun: number }, instance: StepPath): WorkflowError =>
  standardError('runtime', `the run has begun more than ${stepsPerRun} steps`, instance);
