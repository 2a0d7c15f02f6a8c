import { redactText } from '#api/http/redact.ts';
import { ERROR_TYPES } from './standard-error.ts';
import type { WorkflowError } from './workflow-error.ts';

/** Thrown when a task fails with a specific error for the workflow, which may catch and retry it. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
  readonly error: WorkflowError;

  constructor(error: WorkflowError, options?: ErrorOptions) {
    super(error.title ?? error.type, options);
    this.error = error;
  }
}

/**
 * Returns the error that a workflow receives for any thrown value. It has only the redacted message, because errors of
 * clients contain requests and responses.
 */
export function workflowErrorOf(thrown: unknown): WorkflowError {
  if (thrown instanceof TaskFailure) return thrown.error;
  const detail = redactText(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown));
  return { type: `${ERROR_TYPES}runtime`, status: 500, title: 'Task failed', detail };
}

/** Returns an error of the engine itself, not caused by a task. */
export function engineError(title: string, detail: string): WorkflowError {
  return { type: `${ERROR_TYPES}runtime`, status: 500, title, detail };
}
