import type { JsonValue } from '../../json-value.ts';
import type { ExternalTask } from '../port.ts';
import { externalTask } from './external-task.ts';
import { done, type Outcome, type Step } from './frames.ts';
import { get, getText, isList, isObject } from './json.ts';
import { runForeach } from './listen-foreach.ts';
import { holds } from './values.ts';

/**
 * A subscription to messages: they are received outside, then those that `filter` accepts have their iteration of `foreach`, one after another. The
 * output is the list of messages, or of what `foreach` made of them.
 */
export async function runSubscription(step: Step, prepare: () => Promise<ExternalTask>): Promise<Outcome> {
  const { frame } = step;
  const subscription = get(get(step.task, 'with'), 'subscription');
  if (frame.body?.is !== 'messages') {
    const outcome = await externalTask(step, prepare);
    if (outcome.is !== 'done' || !isList(outcome.output)) return outcome;
    const got = await accepted(step, getText(subscription, 'filter'), outcome.output);
    if (get(subscription, 'foreach') === undefined) return done(got);
    frame.body = {
      is: 'messages',
      got: got.map((event) => ({ event })),
      turns: { index: 0, outputs: [], list: null },
    };
  }
  const { got, turns } = frame.body;
  const iterated = {
    ...step,
    path: `${step.path}/with/subscription`,
    task: isObject(subscription) ? subscription : {},
  };
  return (await runForeach(iterated, got, turns, async () => {})) ?? done(turns.outputs);
}

async function accepted(step: Step, filter: string | undefined, messages: readonly JsonValue[]): Promise<JsonValue[]> {
  if (filter === undefined) return [...messages];
  const kept: JsonValue[] = [];
  for (const message of messages) if (await holds(step, filter, message)) kept.push(message);
  return kept;
}
