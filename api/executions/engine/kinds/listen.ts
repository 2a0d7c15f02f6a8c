import { Buffer } from 'node:buffer';
import { policyOf } from '../../approvals/policy.ts';
import type { JsonValue } from '../../json-value.ts';
import type { CloudEvent, EventFilter } from '../contract/cloud-event.ts';
import { matchEvent } from '../event-match.ts';
import { stopListening } from '../interpreter/cancel.ts';
import { eventExpressions } from '../interpreter/event-expressions.ts';
import { eventTypes } from '../interpreter/event-types.ts';
import { Fault, fault, tooManySteps } from '../interpreter/faults.ts';
import { done, type ListenBody, type Outcome, type Step, WAITING } from '../interpreter/frames.ts';
import { get, getText, isObject } from '../interpreter/json.ts';
import { runForeach } from '../interpreter/listen-foreach.ts';
import { isFulfilled, readFilters, type Strategy, strategyOf } from '../interpreter/listen-strategy.ts';
import { sanitizeValue } from '../interpreter/sanitize-value.ts';
import { holds } from '../interpreter/values.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: [
    '`one`, `any` (an empty list means any event) or `all`, with `correlate`. `read` is `data`, `envelope` or `raw`. The output is the list of events.',
    '`foreach` (`item`, `at`, `do`, `output`, `export`) handles the events one after another. The input of each iteration is the event; the output is the list of results.',
    '`metadata.approval` requires an approval: `approvers` (a list of `user`, `team`, `role`), `except` (`starter`, `lastEditor`) and `count`. The task then continues only after a decision.',
    '`until` is an expression over the list of received events, or a strategy. The events of the strategy are not part of the output.',
  ].join(' '),
  schema: 'listenTask',
  run: listenTask,
  work: 'waits',
  expressions: () => [...eventExpressions('listen/to'), 'foreach/output/as', 'foreach/export/as'],
  plain: ['foreach/output/schema', 'foreach/export/schema'],
  lists: ({ foreach }) => [{ role: 'foreach', keys: ['foreach', 'do'], tasks: get(foreach, 'do') }],
  check: ({ foreach }, checker) => {
    if (isObject(foreach)) checker.data(foreach, ['foreach']);
  },
  detail: ({ listen }) => shortDetail(eventTypes(listen).join(', ')),
});

/**
 * Runs `listen`: waits for events. Attributes of filters and expectations of correlations are evaluated once, when the
 * wait begins. Expressions in `data` are evaluated for each event. The output is the list of consumed events in the
 * form of `read` (default `data`), or of the results of `foreach`.
 *
 *     listening ──matching event──▶ consumed ──enough: one, any, all; or `until`──▶ closed ──every iteration of `foreach`──▶ (output)
 *
 * With `until`, `any` consumes every matching event. An expression in `until` is evaluated on the list of consumed
 * events after each event. It is also evaluated after each iteration, which may have changed `$context`. Events that
 * match an `until` strategy stop listening and are not part of the output. Events consumed earlier still have their
 * iterations.
 */
export async function listenTask(step: Step): Promise<Outcome> {
  const { run, frame, path } = step;
  const wait = `${path}#listen.${frame.attempt}`;
  const to = get(get(step.task, 'listen'), 'to');
  const until = get(to, 'until');
  const strategy = strategyOf(to, path);
  const inTurns = get(step.task, 'foreach') !== undefined;
  if (frame.body?.is !== 'listen') {
    const filters = await readFilters(step, strategy);
    const stop = until === undefined || typeof until === 'string' ? undefined : strategyOf(until, path);
    const stopFilters = stop === undefined ? [] : await readFilters(step, stop);
    frame.body = {
      is: 'listen',
      filters: filters as unknown as JsonValue,
      got: [],
      learned: {},
      ...(stop && { stop: { mode: stop.mode, filters: stopFilters as unknown as JsonValue, got: [] } }),
      ...(inTurns && { turns: { index: 0, outputs: [], list: null } }),
    };
    // If `until` has filters, a single event can end the wait in any mode.
    const mode = stop === undefined ? strategy.mode : 'any';
    const approval = policyOf(step.task);
    run.commands.push({
      type: 'listen',
      wait,
      step: path,
      filters: [...filters, ...stopFilters],
      mode,
      ...(approval && { approval }),
    });
    return WAITING;
  }
  const { event: failed } = run;
  // A dry run fails the wait if it has no recorded event.
  if (failed?.type === 'task-failed' && failed.step === path && failed.attempt === frame.attempt)
    throw new Fault(failed.error, failed.fatal);
  const { body } = frame;
  body.got = inArrivalOrder(body.got);
  const endIfMet = async (): Promise<void> => {
    if (typeof until === 'string' && !body.closed && (await holds(step, until, eventsOf(body))))
      stopListening(run, body, wait);
  };
  if (run.event?.type === 'event-received' && run.event.wait === wait)
    for (const event of run.event.events) {
      if (body.closed) break;
      const taken = await take(step, body, event, until === undefined ? strategy : undefined);
      if (taken && until === undefined && isFulfilled(strategy, body.got)) stopListening(run, body, wait);
      if (body.stop && isFulfilled(stopOf(body.stop), body.stop.got)) stopListening(run, body, wait);
      if (taken) await endIfMet();
    }
  const { turns } = body;
  const outcome = turns && (await runForeach(step, body.got, turns, endIfMet));
  if (outcome?.is === 'done') stopListening(run, body, wait);
  if (outcome !== undefined) return outcome;
  if (!body.closed) return WAITING;
  if (turns) return done(turns.outputs);
  // In mode `all`, events are ordered by filter.
  if (strategy.mode === 'all') body.got.sort((a, b) => Number(get(a, 'filter')) - Number(get(b, 'filter')));
  return done(eventsOf(body));
}

/** Converts the earlier state format, which had one entry per filter instead of a list in order of arrival. */
function inArrivalOrder(got: JsonValue[]): JsonValue[] {
  if (got.every((item) => get(item, 'filter') !== undefined)) return got;
  return got.flatMap((item, filter) => (isObject(item) ? [{ filter, ...item }] : []));
}

const eventsOf = ({ got }: ListenBody): JsonValue[] => got.map((item) => get(item, 'event') ?? null);
const stopOf = ({ mode, filters }: NonNullable<ListenBody['stop']>): Strategy => ({
  mode,
  filters: filters as readonly JsonValue[],
});

/**
 * Consumes a matching event and returns true. Records an event that matches the `until` strategy. Ignores events that
 * match no filter, and duplicates. With `once`, each filter consumes one event.
 */
async function take(step: Step, body: ListenBody, event: CloudEvent, once: Strategy | undefined): Promise<boolean> {
  const { run, path, task } = step;
  const { stop } = body;
  const known = (item: JsonValue): boolean => get(item, 'id') === event.id && get(item, 'source') === event.source;
  if (body.got.some(known) || stop?.got.some(known)) return false;
  const ending = stop && (await filterFor(step, body, event, stop.filters, stop.got));
  if (ending !== undefined) {
    stop?.got.push({ id: event.id, source: event.source, filter: ending });
    return false;
  }
  const filter = await filterFor(step, body, event, body.filters, once === undefined ? [] : body.got);
  if (filter === undefined) return false;
  // Each event counts as a step, so an `until` that never becomes true ends like an infinite loop.
  run.taken++;
  if (run.taken > run.stepsPerRun) throw new Fault(tooManySteps(run, path), true);
  const whole = sanitizeValue(event as JsonValue, path);
  const read = formOf(getText(get(task, 'listen'), 'read') ?? 'data', whole, path);
  body.got.push({ id: event.id, source: event.source, filter, event: read });
  return true;
}

/**
 * Returns the first filter that the event matches and that has no event yet. Stores the correlation values of the
 * event.
 */
async function filterFor(
  { run, frame }: Step,
  body: ListenBody,
  event: CloudEvent,
  filters: JsonValue,
  filled: readonly JsonValue[],
): Promise<number | undefined> {
  const variables = { context: run.exported, input: frame.input };
  const deps = { evaluate: run.evaluate, schemas: run.schemas, owner: run.context.owner };
  for (const [index, filter] of (filters as unknown as readonly EventFilter[]).entries()) {
    if (filled.some((item) => get(item, 'filter') === index)) continue;
    const learned = await matchEvent(filter, event, body.learned, deps, variables);
    if (learned === undefined) continue;
    Object.assign(body.learned, learned);
    return index;
  }
  return undefined;
}

/** `raw` returns the content of the event in base64, as for an HTTP response. */
function formOf(read: string, event: JsonValue, path: string): JsonValue {
  const data = get(event, 'data');
  if (read === 'envelope') return event;
  if (read === 'data') return data ?? null;
  if (read !== 'raw')
    throw fault('configuration', `\`read: ${read}\` is not supported: use data, envelope or raw`, path);
  const encoded = getText(event, 'data_base64');
  if (encoded !== undefined || data === undefined) return encoded ?? null;
  return Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)).toString('base64');
}
