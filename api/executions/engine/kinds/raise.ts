import type { WorkflowError } from '../contract/workflow-error.ts';
import { Fault, fault } from '../interpreter/faults.ts';
import type { Outcome, Step } from '../interpreter/frames.ts';
import { get, isObject } from '../interpreter/json.ts';
import { evaluateValue } from '../interpreter/values.ts';
import { defineTaskKind } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: 'An inline error, or the name of an error in `use.errors`.',
  schema: 'raiseTask',
  run: raiseTask,
  check: (task, checker) => checker.reference('errors', get(task.raise, 'error'), ['raise', 'error']),
  flow: 'end',
});

/** Bounded because errors are stored in the row of the execution and shown in lists. */
const MAX_TEXT = 16_000;
const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** Runs `raise`: fails with an error that is inline or a name of `use.errors`. Its `instance` is always this step. */
export async function raiseTask(step: Step): Promise<Outcome> {
  const { run, task, path, frame } = step;
  const given = get(get(task, 'raise'), 'error');
  const definition = typeof given === 'string' ? get(get(get(run.definition, 'use'), 'errors'), given) : given;
  if (!isObject(definition))
    throw fault('configuration', '`raise.error` must be an error, or the name of an error in `use.errors`', path);
  const error = await evaluateValue(step, definition, frame.input);
  const type = get(error, 'type');
  const status = Number(get(error, 'status'));
  if (typeof type !== 'string' || !Number.isInteger(status))
    throw fault('configuration', 'an error needs a `type` and an integer `status`', path);
  const raised: { -readonly [Key in keyof WorkflowError]: WorkflowError[Key] } = { type, status, instance: path };
  for (const key of ['title', 'detail'] as const) {
    const text = get(error, key);
    if (text !== undefined && text !== null)
      raised[key] = shortened(typeof text === 'string' ? text : JSON.stringify(text));
  }
  throw new Fault(raised);
}
