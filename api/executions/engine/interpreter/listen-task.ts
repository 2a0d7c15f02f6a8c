import type { JsonValue } from '../../json-value.ts';
import { matchEvent } from '../event-match.ts';
import type { CloudEvent, EventFilter } from '../port.ts';
import { fault } from './faults.ts';
import { type Body, done, type Outcome, type Step, WAITING } from './frames.ts';
import { get, getText, isList, isObject } from './json.ts';
import { takeIn } from './take-in.ts';
import { evaluateValue } from './values.ts';

type ListenBody = Body & { is: 'listen' };
type Mode = 'all' | 'any' | 'one';

/**
 * `listen`: waits for events. Attributes of filters and expectations of correlations are evaluated once, when the wait begins; `data` may hold
 * expressions, which are asked of every event. The output is the list of events, or of their data (`read`, data unless told).
 */
export async function listenTask(step: Step): Promise<Outcome> {
  const { run, frame, path } = step;
  const wait = `${path}#listen.${frame.attempt}`;
  const [mode, given] = modeOf(step);
  if (frame.body?.is !== 'listen') {
    const filters: EventFilter[] = [];
    for (const filter of given) filters.push(await readFilter(step, filter));
    frame.body = {
      is: 'listen',
      filters: filters as unknown as JsonValue,
      got: filters.map(() => null),
      learned: {},
    };
    run.commands.push({ type: 'listen', wait, step: path, filters, mode });
    return WAITING;
  }
  const { body } = frame;
  if (run.event?.type !== 'event-received' || run.event.wait !== wait) return WAITING;
  const envelope = getText(get(step.task, 'listen'), 'read') === 'envelope';
  for (const event of run.event.events) {
    await take(step, body, event, envelope);
    const enough = mode === 'all' ? body.got.every((item) => item !== null) : body.got.some((item) => item !== null);
    if (enough) {
      run.commands.push({ type: 'stop-listening', wait });
      const events = body.got.filter((item) => item !== null).map((item) => get(item, 'event') ?? null);
      delete frame.body;
      return done(events);
    }
  }
  return WAITING;
}

/** Puts an event where the first filter that waits for one takes it. Events that fit nowhere, and ones that are there already, change nothing. */
async function take(step: Step, body: ListenBody, event: CloudEvent, envelope: boolean): Promise<void> {
  const { run, path, frame } = step;
  const known = body.got.some((item) => get(item, 'id') === event.id && get(item, 'source') === event.source);
  if (known) return;
  const filters = body.filters as unknown as readonly EventFilter[];
  const variables = { context: run.exported, input: frame.input };
  for (const [index, filter] of filters.entries()) {
    if (body.got[index] !== null) continue;
    const learned = await matchEvent(filter, event, body.learned, run.evaluate, variables);
    if (learned === undefined) continue;
    const whole = takeIn(event as JsonValue, path);
    body.got[index] = { id: event.id, source: event.source, event: envelope ? whole : (get(whole, 'data') ?? null) };
    Object.assign(body.learned, learned);
    return;
  }
}

function modeOf({ task, path }: Step): readonly [Mode, readonly JsonValue[]] {
  const to = get(get(task, 'listen'), 'to');
  const one = get(to, 'one');
  if (one !== undefined) return ['one', [one]];
  for (const mode of ['any', 'all'] as const) {
    const filters = get(to, mode);
    if (isList(filters) && filters.length > 0) return [mode, filters];
  }
  throw fault('configuration', '`listen.to` names no events', path);
}

async function readFilter(step: Step, filter: JsonValue): Promise<EventFilter> {
  const given = get(filter, 'with');
  if (!isObject(given)) throw fault('configuration', 'a filter of events has no `with`', step.path);
  const { data, ...attributes } = given;
  const evaluated = await evaluateValue(step, attributes, step.frame.input);
  const correlate: Record<string, { from: string; expect?: JsonValue }> = {};
  for (const [name, correlation] of Object.entries(get(filter, 'correlate') ?? {})) {
    const from = getText(correlation, 'from');
    if (from === undefined) throw fault('configuration', `the correlation "${name}" has no \`from\``, step.path);
    const expect = get(correlation, 'expect');
    correlate[name] =
      expect === undefined ? { from } : { from, expect: await evaluateValue(step, expect, step.frame.input) };
  }
  return {
    with: { ...(isObject(evaluated) ? evaluated : {}), ...(data === undefined ? {} : { data }) },
    correlate,
  };
}
