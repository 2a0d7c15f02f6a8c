import type { JsonValue } from '../../json-value.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import { externalTask } from './external-task.ts';
import { type Body, done, type Outcome, type Step } from './frames.ts';
import { get, getText, isList, isObject } from './json.ts';
import { runForeach } from './listen-foreach.ts';
import { holds } from './values.ts';

/**
 * Runs a subscription: an external task receives the messages that `filter` accepts, then `foreach` runs one iteration
 * per message, sequentially. The output is the list of messages, or of the results of `foreach`.
 */
export async function runSubscription(step: Step, prepare: () => Promise<ExternalTask>): Promise<Outcome> {
  const { frame } = step;
  const subscription = get(get(step.task, 'with'), 'subscription');
  if (frame.body?.is !== 'messages') {
    // A task that began in an earlier version of the service received unfiltered messages.
    const unfiltered = isUnfiltered(frame.body);
    const outcome = await externalTask(step, prepare);
    if (outcome.is !== 'done' || !isList(outcome.output)) return outcome;
    const got = await accepted(step, unfiltered ? getText(subscription, 'filter') : undefined, outcome.output);
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

function isUnfiltered(body: Body | undefined): boolean {
  return body?.is === 'external' && get(get(body.task, 'subscription'), 'filter') === undefined;
}

async function accepted(step: Step, filter: string | undefined, messages: readonly JsonValue[]): Promise<JsonValue[]> {
  if (filter === undefined) return [...messages];
  const kept: JsonValue[] = [];
  for (const message of messages) if (await holds(step, filter, message)) kept.push(message);
  return kept;
}
