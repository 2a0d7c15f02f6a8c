import { fault } from './faults.ts';
import { done, type Outcome, type Step } from './frames.ts';
import { get } from './json.ts';
import { evaluateValue } from './values.ts';

/** `set`: its output is the object of the definition, evaluated. */
export async function setTask(step: Step): Promise<Outcome> {
  const value = get(step.task, 'set');
  if (value === undefined) throw fault('configuration', '`set` has no value', step.path);
  return done(await evaluateValue(step, value, step.frame.input));
}
