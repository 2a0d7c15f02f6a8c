import type { JsonValue } from '../../json-value.ts';
import { builtInFunction } from '../built-in-functions.ts';
import { CALLS } from '../calls/calls.ts';
import { externalTask } from '../interpreter/external-task.ts';
import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { get, getText, isObject, segment } from '../interpreter/json.ts';
import { evaluateValue } from '../interpreter/values.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

const PROTOCOL_REFUSALS = Object.fromEntries(
  [...CALLS].flatMap(([name, { refusals = {} }]) =>
    Object.entries(refusals).map(([reason, text]): [string, string] => [`${name}.${reason}`, text]),
  ),
);

export const kind = defineTaskKind<string>({
  note: [
    ...Array.from(CALLS.values(), ({ note }) => note),
    'A name in `use.functions`, or a function of the product (`trapline.…`); `with` is the input of the function.',
  ].join(' '),
  schema: 'callTask',
  run: callTask,
  work: 'outside',
  refusals: {
    grpc: '`call: grpc` is not run here: offer the service over HTTP and use `call: http`.',
    asyncapi: '`call: asyncapi` is not run here: use `emit` and `listen`, or `call: http`.',
    a2a: '`call: a2a` is not run here: use `call: http`.',
    mcp: '`call: mcp` is not run here: use `call: http`.',
    unknown:
      'There is no function of this name in `use.functions` and none of the product, and catalogs of functions are not used here.',
    ...PROTOCOL_REFUSALS,
  },
  check: ({ call, with: given }, checker) => {
    const protocol = typeof call === 'string' ? CALLS.get(call) : undefined;
    if (protocol !== undefined)
      protocol.check?.(isObject(given) ? given : {}, {
        refuse: (reason, path, detail) => checker.refuse(`${String(call)}.${reason}`, ['with', ...path], detail),
        authentication: (policy, path) => checker.authentication(policy, ['with', ...path]),
      });
    else if (call === 'grpc' || call === 'asyncapi' || call === 'a2a' || call === 'mcp') checker.refuse(call, ['call']);
    else if (typeof call !== 'string' || checker.functionNamed(call) === undefined)
      checker.refuse('unknown', ['call'], String(call));
  },
  detail: ({ call, with: given }) => {
    const name = typeof call === 'string' ? call : '';
    const detail = CALLS.get(name)?.detail?.(isObject(given) ? given : {});
    return shortDetail(name === 'http' ? detail : [name, detail].filter(Boolean).join(' '));
  },
});

/** `call`: a protocol, or a function of `use.functions` or of the product, which is a task of its own with `with` as its input. */
export async function callTask(step: Step): Promise<Outcome> {
  const called = getText(step.task, 'call');
  const protocol = called === undefined ? undefined : CALLS.get(called);
  if (protocol !== undefined) return externalTask(step, () => protocol.prepare(step));
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
