import type { JsonValue } from '../../json-value.ts';
import { builtInFunction } from '../built-in-functions.ts';
import { externalTask } from '../interpreter/external-task.ts';
import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { httpTask } from '../interpreter/http-task.ts';
import { get, getText, isObject, segment } from '../interpreter/json.ts';
import { evaluateValue } from '../interpreter/values.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: [
    '`http`: method, endpoint with `{name}` from the input, headers, query, body, output, redirect.',
    'A name in `use.functions`, or a function of the product (`trapline.…`); `with` is the input of the function.',
  ].join(' '),
  schema: 'callTask',
  run: callTask,
  work: 'outside',
  refusals: {
    grpc: '`call: grpc` is not run here: offer the service over HTTP and use `call: http`.',
    openapi: '`call: openapi` is not run here: write the operation as `call: http`.',
    asyncapi: '`call: asyncapi` is not run here: use `emit` and `listen`, or `call: http`.',
    a2a: '`call: a2a` is not run here: use `call: http`.',
    mcp: '`call: mcp` is not run here: use `call: http`.',
    unknown:
      'There is no function of this name in `use.functions` and none of the product, and catalogs of functions are not used here.',
  },
  check: ({ call, with: given }, checker) => {
    if (call === 'http')
      checker.authentication(get(get(given, 'endpoint'), 'authentication'), ['with', 'endpoint', 'authentication']);
    else if (call === 'grpc' || call === 'openapi' || call === 'asyncapi' || call === 'a2a' || call === 'mcp')
      checker.refuse(call, ['call']);
    else if (typeof call !== 'string' || checker.functionNamed(call) === undefined)
      checker.refuse('unknown', ['call'], String(call));
  },
  detail: ({ call, with: given }) => {
    if (call !== 'http') return shortDetail(typeof call === 'string' ? call : undefined);
    const endpoint = get(given, 'endpoint');
    const uri = typeof endpoint === 'string' ? endpoint : getText(endpoint, 'uri');
    return shortDetail([getText(given, 'method')?.toUpperCase() ?? 'GET', uri].filter(Boolean).join(' '));
  },
});

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
