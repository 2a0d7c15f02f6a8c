import type { JsonValue } from '../../json-value.ts';
import { builtInFunction } from '../built-in-functions.ts';
import { externalTask } from './external-task.ts';
import { fault } from './faults.ts';
import { done, type Outcome, type Step } from './frames.ts';
import { httpTask } from './http-task.ts';
import { get, getText, isObject, segment } from './json.ts';
import { evaluateValue } from './values.ts';

/** `call`: http, or a function of `use.functions` or of the product, which is a task of its own with `with` as its input. */
export async function callTask(step: Step): Promise<Outcome> {
  const called = getText(step.task, 'call');
  if (called === 'http') return externalTask(step, () => httpTask(step));
  const own = called === undefined ? undefined : get(get(get(step.run.definition, 'use'), 'functions'), called);
  const task = own ?? (called === undefined ? undefined : builtInFunction(called));
  if (called === undefined || !isObject(task))
    throw fault('configuration', `there is no function "${called ?? ''}" to call`, step.path);
  const { frame } = step;
  if (frame.body?.is !== 'slot') {
    const given = get(step.task, 'with');
    const input: JsonValue = given === undefined ? frame.input : await evaluateValue(step, given, frame.input);
    frame.body = {
      is: 'slot',
      path: `${step.path}/call/${segment(called)}`,
      slot: { child: null, turn: frame.attempt, top: frame.attempt, input },
    };
  }
  const { slot, path } = frame.body;
  // A function sees its own input, not the variables of the loops around the call.
  const scope = { ...step.scope, variables: {} };
  const outcome = await step.run.runTask(step.run, slot, { name: called, task }, path, scope, slot.input);
  return outcome.is === 'done' && outcome.next !== 'end' ? done(outcome.output) : outcome;
}
