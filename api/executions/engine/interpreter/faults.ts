import type { StepPath, WorkflowError } from '../port.ts';

/** The standard errors of the workflow language, with the status each has unless a better one is known. */
const STANDARD = {
  configuration: { status: 400, title: 'Configuration Error' },
  validation: { status: 400, title: 'Validation Error' },
  expression: { status: 400, title: 'Expression Error' },
  authentication: { status: 401, title: 'Authentication Error' },
  authorization: { status: 403, title: 'Authorization Error' },
  timeout: { status: 408, title: 'Timeout' },
  communication: { status: 500, title: 'Communication Error' },
  runtime: { status: 500, title: 'Runtime Error' },
} as const;
export type StandardError = keyof typeof STANDARD;

const BASE = 'https://serverlessworkflow.io/spec/1.0.0/errors/';

/** A standard error as a value, with what happened and where. */
export function standardError(type: StandardError, detail: string, instance: StepPath): WorkflowError {
  return { type: `${BASE}${type}`, status: STANDARD[type].status, title: STANDARD[type].title, detail, instance };
}

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
