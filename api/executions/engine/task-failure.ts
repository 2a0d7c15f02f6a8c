import { redactText } from '#api/http/redact.ts';
import type { WorkflowError } from './port.ts';
import { ERROR_TYPES } from './standard-error.ts';

/** A task failed, and this is the error that the workflow receives; it may catch it, and try again. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
  readonly error: WorkflowError;

  constructor(error: WorkflowError, options?: ErrorOptions) {
    super(error.title ?? error.type, options);
    this.error = error;
  }
}

/** The error that a workflow receives for anything that was thrown. The text alone, redacted: errors of clients carry what was sent and answered. */
export function workflowErrorOf(thrown: unknown): WorkflowError {
  if (thrown instanceof TaskFailure) return thrown.error;
  const detail = redactText(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown));
  return { type: `${ERROR_TYPES}runtime`, status: 500, title: 'Task failed', detail };
}

/** An error of the engine itself: no task is to blame. */
export function engineError(title: string, detail: string): WorkflowError {
  return { type: `${ERROR_TYPES}runtime`, status: 500, title, detail };
}
