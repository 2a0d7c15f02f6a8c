import type { JsonValue } from '../../json-value.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import { standardError } from '../contract/standard-error.ts';
import type { WorkflowError } from '../contract/workflow-error.ts';
import { Fault } from './faults.ts';
import { done, type Outcome, type Step, WAITING } from './frames.ts';
import { sanitizeValue } from './sanitize-value.ts';

/**
 * Runs a task outside the interpreter. Retries by `try` within one visit, and restarts after a crash, have the same
 * idempotency key, so the called service can recognise a repeated request. Each jump back and each loop iteration has a
 * new key.
 */
export async function externalTask(step: Step, prepare: () => Promise<ExternalTask>): Promise<Outcome> {
  const { run, frame, path, scope } = step;
  const { event } = run;
  if (frame.body?.is !== 'external') {
    const key = [run.context.executionId, path, ...(scope.visit === '' ? [] : [scope.visit.slice(1)])].join(':');
    const task = await prepare();
    frame.body = { is: 'external', task: task as unknown as JsonValue, key };
    return ask(step);
  }
  if (event?.type === 'recover') return ask(step);
  const mine =
    (event?.type === 'task-completed' || event?.type === 'task-failed') &&
    event.step === path &&
    event.attempt === frame.attempt;
  if (!mine) {
    run.busy = true;
    return WAITING;
  }
  // The task has ended: there is nothing left to cancel.
  const { task } = frame.body;
  delete frame.body;
  if (event.type === 'task-failed') throw new Fault(externalError(event.error, path), event.fatal);
  return done(outputIsInput(task) ? frame.input : sanitizeValue(event.output, path));
}

/** True for a workflow or process that is not awaited: the output of its task is the input. */
function outputIsInput(task: JsonValue): boolean {
  const external = task as unknown as ExternalTask;
  return external.kind === 'workflow' ? !external.await : 'detached' in external && external.detached === true;
}

function ask({ run, frame, path }: Step): Outcome {
  if (frame.body?.is === 'external')
    run.commands.push({
      type: 'run-task',
      step: path,
      name: frame.name,
      attempt: frame.attempt,
      task: frame.body.task as unknown as ExternalTask,
      idempotencyKey: frame.body.key,
    });
  run.busy = true;
  return WAITING;
}

/** Keeps the standard members of an error of the language. Replaces an invalid error with a runtime error. */
function externalError({ type, status, title, detail, retryable }: WorkflowError, instance: string): WorkflowError {
  if (typeof type !== 'string' || !Number.isInteger(status))
    return standardError('runtime', 'the task failed and reported no valid error', instance);
  return {
    type,
    status,
    ...(title === undefined ? {} : { title }),
    ...(detail === undefined ? {} : { detail }),
    ...(retryable === false ? { retryable } : {}),
    instance,
  };
}
