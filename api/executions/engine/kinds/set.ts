import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { get } from '../interpreter/json.ts';
import { evaluateValue } from '../interpreter/values.ts';
import { defineTaskKind } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: 'An object of literals and expressions, or one expression that returns an object.',
  schema: 'setTask',
  run: setTask,
});

/** Runs `set`: the output is the evaluated object. */
export async function setTask(step: Step): Promise<Outcome> {
  const value = get(step.task, 'set');
  if (value === undefined) throw fault('configuration', '`set` has no value', step.path);
  return done(await evaluateValue(step, value, step.frame.input));
}
