/**
 * Path of a task in a run: its JSON pointer in the definition, with the iterations of enclosing loops, such as
 * `/do/1/each/for[3]/do/0/enrich`. The same step of a run has the same path in every process.
 */
export type StepPath = string;

/** An error of the workflow language, in the format of RFC 9457. */
export interface WorkflowError {
  /** For example `https://serverlessworkflow.io/spec/1.0.0/errors/communication`. */
  readonly type: string;
  readonly status: number;
  readonly title?: string;
  readonly detail?: string;
  /** Path of the failed step. */
  readonly instance?: StepPath;
  /** If false, `retry` is not applied. `catch` still handles the error. */
  readonly retryable?: false;
}
