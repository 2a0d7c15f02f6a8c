import type { JsonValue } from '../../json-value.ts';
import { CALLS } from '../calls/calls.ts';
import { catalogTask, fetchedFunctionOf } from '../interpreter/catalog.ts';
import { externalTask } from '../interpreter/external-task.ts';
import { fault } from '../interpreter/faults.ts';
import { done, type FunctionSlot, type Outcome, type Step } from '../interpreter/frames.ts';
import { get, getText, isObject, segment } from '../interpreter/json.ts';
import { runSubscription } from '../interpreter/subscription.ts';
import { evaluateValue } from '../interpreter/values.ts';
import { builtInFunction } from '../release/built-in-functions.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

const PROTOCOL_REFUSALS = Object.fromEntries(
  [...CALLS].flatMap(([name, { refusals = {} }]) =>
    Object.entries(refusals).map(([reason, text]): [string, string] => [`${name}.${reason}`, text]),
  ),
);

export const kind = defineTaskKind<string>({
  note: [
    ...Array.from(CALLS.values(), ({ note }) => note),
    'A function: a name in `use.functions`, a built-in function (`trapline.…`), a function of a catalog (`name:version@catalog`), or the URL of a function (`https://…`). `with` is its input.',
  ].join(' '),
  schema: 'callTask',
  run: callTask,
  work: 'outside',
  refusals: {
    unknown:
      'Unknown function. Define it in `use.functions`, or use a built-in function, `name:version@catalog` or a URL.',
    catalog: 'Unknown catalog. Add it to `use.catalogs`; there is no default catalog.',
    ...PROTOCOL_REFUSALS,
  },
  expressions: ({ call }) =>
    (CALLS.get(typeof call === 'string' ? call : '')?.expressions ?? []).map((place) => `with/${place}`),
  plain: ['with/subscription/foreach/output/schema', 'with/subscription/foreach/export/schema'],
  lists: (task) => [
    {
      role: 'foreach',
      keys: ['with', 'subscription', 'foreach', 'do'],
      tasks: get(get(subscriptionOf(task), 'foreach'), 'do'),
    },
  ],
  check: ({ call, with: given }, checker) => {
    const iterator = get(subscriptionOf({ call, with: given }), 'foreach');
    if (isObject(iterator)) checker.data(iterator, ['with', 'subscription', 'foreach']);
    const protocol = typeof call === 'string' ? CALLS.get(call) : undefined;
    if (protocol !== undefined)
      protocol.check?.(isObject(given) ? given : {}, {
        refuse: (reason, path, detail) => checker.refuse(`${String(call)}.${reason}`, ['with', ...path], detail),
        authentication: (policy, path) => checker.authentication(policy, ['with', ...path]),
        endpoint: (endpoint, path) => checker.endpoint(endpoint, ['with', ...path]),
        features: checker.features,
      });
    else if (typeof call !== 'string' || checker.functionNamed(call) === undefined) {
      const found = fetchedFunctionOf(String(call));
      if (found === undefined) checker.refuse('unknown', ['call'], String(call));
      else if ('catalog' in found && checker.catalogNamed(found.catalog) === undefined)
        checker.refuse('catalog', ['call'], found.catalog);
    }
  },
  detail: ({ call, with: given }) => {
    const name = typeof call === 'string' ? call : '';
    const detail = CALLS.get(name)?.detail?.(isObject(given) ? given : {});
    return shortDetail(name === 'http' ? detail : [name, detail].filter(Boolean).join(' '));
  },
});

/** Returns the subscription of a call that receives messages; undefined for other calls. */
function subscriptionOf(task: Readonly<Record<string, JsonValue | undefined>>): JsonValue | undefined {
  return task.call === 'asyncapi' ? get(task.with, 'subscription') : undefined;
}

/**
 * Name of the task inside a call that fetches its function. It is a step of its own, so the trace shows which function
 * ran.
 */
const FETCH = 'trapline.catalog';

/**
 * Runs `call`: a protocol, or a function of `use.functions`, of the product, of a catalog or of a file address. A
 * function is a nested task whose input is `with`. Functions of catalogs and file addresses are fetched first.
 */
export async function callTask(step: Step): Promise<Outcome> {
  const called = getText(step.task, 'call') ?? '';
  const protocol = CALLS.get(called);
  if (protocol !== undefined) {
    const prepare = () => protocol.prepare(step);
    return subscriptionOf(step.task) === undefined ? externalTask(step, prepare) : runSubscription(step, prepare);
  }
  const fetches = called === FETCH ? fetchedFunctionOf(getText(step.task, 'function') ?? '') : undefined;
  if (fetches !== undefined) return externalTask(step, () => catalogTask(step, fetches));
  const own = get(get(get(step.run.definition, 'use'), 'functions'), called) ?? builtInFunction(called);
  if (own !== undefined || fetchedFunctionOf(called) === undefined) return callFunction(step, called, own);
  return callFetched(step, called);
}

async function callFetched(step: Step, called: string): Promise<Outcome> {
  const { frame, run, scope } = step;
  if (frame.body?.is === 'slot' && frame.body.task !== undefined)
    return callFunction(step, called, frame.body.task, true);
  const begun = frame.body?.is === 'slot' ? frame.body : undefined;
  const slot: FunctionSlot = begun?.slot ?? { child: null, turn: frame.attempt, top: frame.attempt, input: null };
  const path = `${step.path}/catalog/${segment(called)}`;
  frame.body = { is: 'slot', path, slot };
  const fetched = await run.runTask(
    run,
    slot,
    { name: called, task: { call: FETCH, function: called } },
    path,
    scope,
    null,
  );
  if (fetched.is !== 'done') return fetched;
  delete frame.body;
  return callFunction(step, called, fetched.output, true);
}

async function callFunction(
  step: Step,
  called: string,
  task: JsonValue | undefined,
  foreign = false,
): Promise<Outcome> {
  if (!isObject(task)) throw fault('configuration', `there is no function "${called}" to call`, step.path);
  const { frame } = step;
  if (frame.body?.is !== 'slot') {
    const given = get(step.task, 'with');
    const input: JsonValue = given === undefined ? frame.input : await evaluateValue(step, given, frame.input);
    frame.body = {
      is: 'slot',
      path: `${step.path}/call/${segment(called)}`,
      slot: { child: null, turn: frame.attempt, top: frame.attempt, input },
      ...(foreign ? { task } : {}),
    };
  }
  const { slot, path } = frame.body;
  // A function sees its own input, but not the variables of enclosing loops. A fetched function has no access to
  // secrets either.
  const scope = { ...step.scope, variables: {}, ...(foreign ? { foreign: true as const } : {}) };
  const outcome = await step.run.runTask(step.run, slot, { name: called, task }, path, scope, slot.input);
  return outcome.is === 'done' && outcome.next !== 'end' ? done(outcome.output) : outcome;
}
