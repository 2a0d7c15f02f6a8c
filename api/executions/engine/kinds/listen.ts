import { Buffer } from 'node:buffer';
import { policyOf } from '../../approvals/policy.ts';
import type { JsonValue } from '../../json-value.ts';
import { matchEvent } from '../event-match.ts';
import { stopListening } from '../interpreter/cancel.ts';
import { eventExpressions } from '../interpreter/event-expressions.ts';
import { eventTypes } from '../interpreter/event-types.ts';
import { Fault, fault, tooManySteps } from '../interpreter/faults.ts';
import { done, type ListenBody, type Outcome, type Step, WAITING } from '../interpreter/frames.ts';
import { get, getText, isObject } from '../interpreter/json.ts';
import { runForeach } from '../interpreter/listen-foreach.ts';
import { isFulfilled, readFilters, type Strategy, strategyOf } from '../interpreter/listen-strategy.ts';
import { takeIn } from '../interpreter/take-in.ts';
import { holds } from '../interpreter/values.ts';
import type { CloudEvent, EventFilter } from '../port.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: [
    'To `one`, `any` (also every event there is) or `all`, with `correlate`; reads `data`, `envelope` or `raw`. The output is the list of events.',
    '`foreach`: `item`, `at`, `do`, `output`, `export`: one event after another, each beginning with the event; the output is the list of results.',
    '`metadata.approval`: who decides: `approvers` (a list of `user`, `team`, `role`), `except` (`starter`, `lastEditor`) and `count`; then only a decision continues it.',
    '`until`: an expression, evaluated with the list of received events, or a strategy, whose events are not part of the output.',
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
 * `listen`: waits for events. Attributes of filters and expectations of correlations are evaluated once, when the wait begins; `data` may hold
 * expressions, which are asked of every event. The output is the list of what was taken, as `read` has it (default data), or of what `foreach` made of it.
 *
 *     listening ──event that fits──▶ taken ──enough: one, any, all; or `until`──▶ closed ──every turn of `foreach` taken──▶ (output)
 *
 * With `until`, `any` takes every event that fits. An expression is asked of the list of what was taken, whenever an event was and after each turn, as a turn may
 * have changed `$context`. Events of an `until` end the listening and are no part of the output; what was taken before still has its turn.
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
    // With filters that end it, one event may be enough, whatever the mode of the others.
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
  // A dry run that has no event for this wait.
  if (failed?.type === 'task-failed' && failed.step === path && failed.attempt === frame.attempt)
    throw new Fault(failed.error, failed.fatal);
  const { body } = frame;
  body.got = asKept(body.got);
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
  // Where each filter has its event, they stand as the filters do.
  if (strategy.mode === 'all') body.got.sort((a, b) => Number(get(a, 'filter')) - Number(get(b, 'filter')));
  return done(eventsOf(body));
}

/** Waits that began before events were kept in their order have a place for each filter instead. */
function asKept(got: JsonValue[]): JsonValue[] {
  if (got.every((item) => get(item, 'filter') !== undefined)) return got;
  return got.flatMap((item, filter) => (isObject(item) ? [{ filter, ...item }] : []));
}

const eventsOf = ({ got }: ListenBody): JsonValue[] => got.map((item) => get(item, 'event') ?? null);
const stopOf = ({ mode, filters }: NonNullable<ListenBody['stop']>): Strategy => ({
  mode,
  filters: filters as readonly JsonValue[],
});

/**
 * Takes an event that fits: true. One that ends the listening is noted there. Events that fit nowhere, and ones that were taken already, change nothing.
 * With a strategy, each filter takes one event.
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
  // An `until` that never comes true ends as a loop without end does.
  run.taken++;
  if (run.taken > run.stepsPerRun) throw new Fault(tooManySteps(run, path), true);
  const whole = takeIn(event as JsonValue, path);
  const read = readAs(getText(get(task, 'listen'), 'read') ?? 'data', whole, path);
  body.got.push({ id: event.id, source: event.source, filter, event: read });
  return true;
}

/** The first filter that the event passes and that has no event yet; what the event taught is kept. */
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

/** `raw` is the content of the event in base64, as it is of an answer of http. */
function readAs(read: string, event: JsonValue, path: string): JsonValue {
  const data = get(event, 'data');
  if (read === 'envelope') return event;
  if (read === 'data') return data ?? null;
  if (read !== 'raw') throw fault('configuration', `\`read: ${read}\` is nothing that events are read as`, path);
  const encoded = getText(event, 'data_base64');
  if (encoded !== undefined || data === undefined) return encoded ?? null;
  return Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)).toString('base64');
}
