import { describe, expect, it } from 'vitest';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { type PlayOptions, play, useEvaluate, workflow } from './play.ts';

const evaluate = useEvaluate();
const BUDGET = { valueBytes: 64 * 1024, runBytes: 1024 * 1024 };

function run(yaml: string, more: Partial<PlayOptions> = {}) {
  const interpreter = createInterpreter({ evaluate, budget: BUDGET });
  return play({ definition: workflow(yaml), evaluate, interpreter, ...more });
}

/** Tasks whose output contains the previous output several times. */
const doubling = (value: string, times = 8): string =>
  Array.from({ length: times }, (_, at) => `- t${at}: { set: ${value} }`).join('\n');
const TEN = `{ ${'abcdefghij'
  .split('')
  .map((name) => `${name}: '\${ . }'`)
  .join(', ')} }`;

describe('the budget of values', () => {
  it.each([
    ['an object with the input ten times', `do:\n${doubling(TEN)}`],
    ['a list with the input ten times', `do:\n${doubling(`{ x: [${TEN}] }`)}`],
    ['text with the input ten times', `do:\n${doubling(`{ x: '${'${ .x }'.repeat(10)}some text' }`, 12)}`],
    ['the definition many times', `do: [ { a: { set: { x: [${"'${ $workflow }', ".repeat(500)}1] } } } ]`],
    ['jq that adds a value to itself', `do:\n${doubling("{ x: '${ .x + .x + .x + .x + .x + .x }' }")}`, { x: 'text' }],
    [
      'the input of a task',
      `do: [ { a: { set: { x: 1 }, input: { from: { x: [${"'${ . }', ".repeat(100)}1] } } } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'the output of a task',
      `do: [ { a: { set: { x: 1 }, output: { as: { x: [${"'${ $input }', ".repeat(100)}1] } } } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'the context',
      `do: [ { a: { set: { x: 1 }, export: { as: { x: [${"'${ $input }', ".repeat(100)}1] } } } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'the outputs of branches together',
      `do: [ { a: { fork: { branches: [ ${Array.from({ length: 100 }, (_, at) => `{ b${at}: { set: '\${ $workflow.input }' } }`).join(', ')} ] } } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'the output of the workflow',
      `output: { as: { x: [${"'${ . }', ".repeat(100)}1] } }\ndo: [ { a: { set: '\${ $workflow.input }' } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'an event',
      `do: [ { a: { emit: { event: { with: { source: a, type: b, data: { x: [${"'${ . }', ".repeat(100)}1] } } } } } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'the arguments of a call',
      `do: [ { a: { run: { script: { language: js, code: x, arguments: { x: [${"'${ . }', ".repeat(100)}1] } } } } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'the input of a workflow that is run',
      `do: [ { a: { run: { workflow: { namespace: n, name: w, version: 1.0.0, input: { x: [${"'${ . }', ".repeat(100)}1] } } } } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'the body of a request',
      `do: [ { a: { call: http, with: { method: post, endpoint: 'https://example.com', body: { x: [${"'${ . }', ".repeat(100)}1] } } } } ]`,
      'x'.repeat(1_000),
    ],
    [
      'a value from outside',
      `do: [ { a: { run: { script: { language: js, code: x } } } } ]`,
      {},
      { x: 'x'.repeat(100_000) },
    ],
    ['an input that is too large', `do: [ { a: { set: { x: 1 } } } ]`, 'x'.repeat(100_000)],
  ])(
    '%s is a workflow error as soon as it is too large',
    async (_what, yaml, input: JsonValue = { x: 1 }, output: JsonValue = null) => {
      const played = await run(yaml, { context: { input }, outside: () => ({ output }) });
      expect(played.error).toMatchObject({
        type: 'https://serverlessworkflow.io/spec/1.0.0/errors/runtime',
        status: 413,
        detail: expect.stringMatching(/larger than 65536 bytes of JSON|made of more than 4096 values/),
      });
      // No larger value was sent, and the values that were sent are small.
      expect(JSON.stringify(played.advances).length).toBeLessThan(2_000_000);
    },
  );

  it('counts depth: a value nested in itself repeatedly', async () => {
    const played = await run("do: [ { a: { set: { x: '${ . }' }, then: a } } ]");
    expect(played.error).toMatchObject({ status: 413, detail: expect.stringContaining('nested more than 200 levels') });
  });

  it('can be caught', async () => {
    expect((await run(CAUGHT)).output).toEqual({ caught: true });
  });

  it('limits what all steps of a run record together, and no `try` catches that', async () => {
    const large = 'x'.repeat(10_000);
    const loop = `do: [ { a: { try: [ { b: { for: { each: i, in: '\${ [range(1000)] }' }, do: [ { c: { set: { n: '\${ $i }', large: '\${ $workflow.input }' } } } ] } } ], catch: {} } } ]`;
    const played = await run(loop, { context: { input: large } });
    expect(played.error).toMatchObject({
      status: 413,
      detail: expect.stringContaining('recorded more than 1048576 bytes'),
    });
  });

  it('writes the state before an advance has recorded too much', async () => {
    const interpreter = createInterpreter({ evaluate });
    const large = 'x'.repeat(1_000_000);
    const loop = `do: [ { b: { for: { each: i, in: '\${ [range(20)] }' }, do: [ { c: { set: { n: '\${ $i }', large: '\${ $workflow.input }' } } } ] } } ]`;
    const played = await run(loop, { context: { input: large }, interpreter, through: false });
    expect(played.error).toBeUndefined();
    for (const { steps } of played.advances) expect(JSON.stringify(steps).length).toBeLessThan(8_000_000);
    expect(played.advances.length).toBeGreaterThan(5);
  });

  it('limits what the frames of a run keep at once', async () => {
    const interpreter = createInterpreter({ evaluate });
    const task = `{ input: { from: { x: '\${ .x + "y" | .[1:] }' } }, do: [ { inner: HERE } ] }`;
    let tasks = '{ wait: PT1H }';
    for (let depth = 0; depth < 30; depth++) tasks = task.replace('HERE', () => tasks);
    const played = await run(`do: [ { a: ${tasks} } ]`, {
      context: { input: { x: 'x'.repeat(900_000) } },
      interpreter,
      through: false,
    });
    expect(played.error).toMatchObject({
      status: 413,
      detail: expect.stringContaining('the state of the run is'),
    });
  });
});

const CAUGHT = `do:
- a:
    try:
${doubling(TEN).replaceAll(/^/gm, '    ')}
    catch:
      errors: { with: { status: 413 } }
      do: [ { b: { set: { caught: true } } } ]`;
