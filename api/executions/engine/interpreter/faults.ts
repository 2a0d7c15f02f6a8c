import { type StandardError, standardError } from '../contract/standard-error.ts';
import type { StepPath, WorkflowError } from '../contract/workflow-error.ts';

/**
 * Thrown inside the interpreter when a task fails, and caught where the task ends. `try` cannot catch a `fatal` fault.
 */
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

/** Error that ends an infinite loop. */
export const tooManySteps = ({ stepsPerRun }: { readonly stepsPerRun: number }, instance: StepPath): WorkflowError =>
  standardError('runtime', `the run exceeded the limit of ${stepsPerRun} steps`, instance);
