import { describe, expect, it } from 'vitest';
import { named, play, START, useEvaluate, workflow } from './play.ts';

/**
 * Cases that follow the conformance features of the language: flow, data flow, do, set, switch, for, raise, emit, wait.
 */
const evaluate = useEvaluate();
const run = (yaml: string, input = {}, more = {}) =>
  play({ definition: workflow(yaml), context: { input, ...more }, evaluate });

describe('flow', () => {
  it('runs tasks in order', async () => {
    const played = await run(`
do:
  - setRed: { set: { colors: '\${ .colors + ["red"] }' } }
  - setGreen: { set: { colors: '\${ .colors + ["green"] }' } }
  - setBlue: { set: { colors: '\${ .colors + ["blue"] }' } }`);
    expect(played.output).toEqual({ colors: ['red', 'green', 'blue'] });
    expect(named(played)).toEqual(['setRed', 'setGreen', 'setBlue']);
    expect(played.advances).toHaveLength(1);
  });

  it('follows explicit directives, and ends at `end`', async () => {
    const played = await run(`
do:
  - setRed: { set: { colors: '\${ .colors + ["red"] }' }, then: setGreen }
  - setBlue: { set: { colors: '\${ .colors + ["blue"] }' }, then: end }
  - setGreen: { set: { colors: '\${ .colors + ["green"] }' }, then: setBlue }
  - never: { set: { colors: [] } }`);
    expect(played.output).toEqual({ colors: ['red', 'green', 'blue'] });
    expect(named(played)).toEqual(['setRed', 'setGreen', 'setBlue']);
  });

  it('leaves a list at `exit`, and continues after it', async () => {
    const played = await run(`
do:
  - outer:
      do:
        - a: { set: { n: 1 }, then: exit }
        - b: { set: { n: 2 } }
  - after: { set: { n: '\${ .n + 10 }' } }`);
    expect(played.output).toEqual({ n: 11 });
  });

  it('ends the workflow from a nested task at `end`, and still applies the output of the workflow', async () => {
    const played = await run(`
do:
  - outer:
      do:
        - a: { set: { n: 1 }, then: end }
      output: { as: '{ filtered: . }' }
  - after: { set: { n: 2 } }
output: { as: '{ result: .n }' }`);
    expect(played.output).toEqual({ result: 1 });
  });

  it('fails at a directive to an unknown task', async () => {
    const played = await run(`
do:
  - a: { set: { n: 1 }, then: nowhere }`);
    expect(played.error).toMatchObject({ status: 400, detail: 'there is no task "nowhere" in this list' });
  });

  it('skips a task with a false `if`, with its directive', async () => {
    const played = await run(
      `
do:
  - a: { if: '\${ .go }', set: { n: 1 }, then: end }
  - b: { if: '.stay', set: { n: 2 } }`,
      { go: false, stay: true },
    );
    expect(played.output).toEqual({ n: 2 });
    expect(named(played, 'skipped')).toEqual(['a']);
  });

  it('uses the output of overridden steps without running them', async () => {
    const played = await play({
      definition: workflow(`
do:
  - fetch:
      call: http
      with: { method: get, endpoint: https://example.com }
      export: { as: '{ fetched: .n }' }
  - use: { set: { n: '\${ .n }', c: '\${ $context.fetched }' } }`),
      context: { overrides: { fetch: { n: 7 } } },
      evaluate,
    });
    expect(played.output).toEqual({ n: 7, c: 7 });
    expect(played.tasks).toEqual([]);
    expect(named(played, 'skipped')).toEqual(['fetch']);
  });
});

describe('data flow', () => {
  it('filters the input of a task', async () => {
    const played = await run(
      `
do:
  - setPlayerId: { input: { from: .user.claims.subject }, set: { playerId: '\${ . }' } }`,
      { user: { claims: { subject: '6As' } } },
    );
    expect(played.output).toEqual({ playerId: '6As' });
  });

  it('filters outputs, also values that are not objects, with the input available', async () => {
    const played = await run(
      `
do:
  - one: { set: { id: 1 }, output: { as: .id } }
  - two: { set: { id: 2 }, output: { as: '{ ids: [ $input, .id ] }' } }`,
    );
    expect(played.output).toEqual({ ids: [1, 2] });
  });

  it('filters the input of the workflow and keeps a context', async () => {
    const played = await run(
      `
input: { from: '{ n: .deep.n }' }
do:
  - a: { set: { n: '\${ .n + 1 }' }, export: { as: '$context + { a: .n }' } }
  - b: { set: { n: 0 }, export: { as: '$context + { b: $output.n, input: $input.n }' } }
  - c: { set: { result: '\${ $context }', text: 'a is \${ $context.a }, \${ $task.name }' } }`,
      { deep: { n: 1 } },
    );
    expect(played.output).toEqual({ result: { a: 2, b: 0, input: 2 }, text: 'a is 2, c' });
  });

  it('describes the output of a task before its filter, after the task has ended', async () => {
    const played = await run(`
do:
  - a:
      set: { n: 1 }
      output: { as: '{ n: 2, raw: $task.output, output: $output }' }
      export: { as: '{ raw: $task.output, output: $output.n }' }
  - b: { set: { context: '\${ $context }', early: '\${ $task.output }', a: '\${ . }' } }`);
    expect(played.output).toEqual({
      context: { raw: { n: 1 }, output: 2 },
      early: null,
      a: { n: 2, raw: { n: 1 }, output: { n: 1 } },
    });
  });

  it('describes workflow, task and runtime', async () => {
    const played = await run(`
do:
  - a:
      set:
        id: '\${ $workflow.id }'
        at: '\${ $workflow.startedAt.iso8601 }'
        epoch: '\${ $task.startedAt.epoch.milliseconds | . / 1000 | floor }'
        reference: '\${ $task.reference }'
        runtime: '\${ $runtime.name }'
        name: '\${ $workflow.definition.document.name }'
        now: '\${ now }'`);
    expect(played.output).toEqual({
      id: 'exec_1',
      at: START,
      epoch: Date.parse(START) / 1_000,
      reference: '/do/0/a',
      runtime: 'trapline',
      name: 'test',
      now: Date.parse(START) / 1_000,
    });
  });

  it.each([
    [
      'the input of the workflow',
      `input: { schema: { document: { required: [id] } } }\ndo: [ { a: { set: { n: 1 } } } ]`,
    ],
    ['the input of a task', `do: [ { a: { input: { schema: { document: { required: [id] } } }, set: { n: 1 } } } ]`],
    ['the output of a task', `do: [ { a: { output: { schema: { document: { required: [id] } } }, set: { n: 1 } } } ]`],
    ['the context', `do: [ { a: { export: { as: ., schema: { document: { required: [id] } } }, set: { n: 1 } } } ]`],
    [
      'the output of the workflow',
      `output: { schema: { document: { required: [id] } } }\ndo: [ { a: { set: { n: 1 } } } ]`,
    ],
  ])('validates the schema of %s', async (_what, yaml) => {
    const played = await run(yaml);
    expect(played.error).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation',
      status: 400,
    });
    expect(played.error?.detail).toContain("must have required property 'id'");
  });

  it('rejects external data that imitates a secret', async () => {
    const played = await run('do: [ { a: { set: { n: 1 } } } ]', { deep: [{ $secret: 'token' }] });
    expect(played.error).toMatchObject({ status: 400, detail: 'external data must not have the key "$secret"' });
  });

  it('reports a failing expression as an expression error with its position', async () => {
    const played = await run(`do: [ { a: { set: { n: '\${ .x.y }' } } } ]`, { x: 1 });
    expect(played.error).toEqual({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
      status: 400,
      title: 'Expression Error',
      detail: 'Cannot index number with string "y"',
      instance: '/do/0/a',
    });
  });
});

describe('switch', () => {
  const yaml = `
do:
  - pick:
      switch:
        - red: { when: '.color == "red"', then: setRed }
        - other: { then: setOther }
        - green: { when: '.color == "green"', then: setGreen }
  - setRed: { set: { colors: ['red'] }, then: end }
  - setGreen: { set: { colors: ['green'] }, then: end }
  - setOther: { set: { colors: ['\${ $input.color }'] }, then: end }`;
  it.each([
    ['red', 'red'],
    ['green', 'green'],
    ['yellow', 'yellow'],
  ])('%s', async (color, expected) => {
    expect((await run(yaml, { color })).output).toEqual({ colors: [expected] });
  });

  it('follows the directive of the task if no case matches', async () => {
    const played = await run(
      `
do:
  - pick: { switch: [ { red: { when: '.color == "red"', then: setRed } } ], then: end }
  - setRed: { set: { colors: ['red'] } }`,
      { color: 'yellow' },
    );
    expect(played.output).toEqual({ color: 'yellow' });
  });
});

describe('for', () => {
  it('passes the output of an iteration to the next one', async () => {
    const played = await run(
      `
do:
  - loop:
      for: { each: color, in: .colors }
      do:
        - mark: { set: { processed: '\${ { colors: (.processed.colors + [ $color ]), indexes: (.processed.indexes + [ $index ]) } }' } }`,
      { colors: ['red', 'green', 'blue'] },
    );
    expect(played.output).toEqual({ processed: { colors: ['red', 'green', 'blue'], indexes: [0, 1, 2] } });
    expect(
      played.steps.filter(({ name, status }) => name === 'mark' && status === 'completed').map(({ step }) => step),
    ).toEqual(['/do/0/loop/for[0]/do/0/mark', '/do/0/loop/for[1]/do/0/mark', '/do/0/loop/for[2]/do/0/mark']);
  });

  it('stops when `while` is false, has an index, and leaves iterations at `exit`', async () => {
    const played = await run(
      `
do:
  - loop:
      for: { in: '\${ .list }', at: i }
      while: .sum < 6
      do:
        - add: { set: { sum: '\${ .sum + $item }', i: '\${ $i }' }, then: exit }
        - never: { set: { sum: 1000 } }`,
      { list: [1, 2, 3, 4, 5], sum: 0 },
    );
    expect(played.output).toEqual({ sum: 6, i: 2 });
  });

  it('returns its input for an empty list, and fails for a value that is not a list', async () => {
    const yaml = `do: [ { loop: { for: { in: .list }, do: [ { a: { set: { n: 1 } } } ] } } ]`;
    expect((await run(yaml, { list: [] })).output).toEqual({ list: [] });
    expect((await run(yaml, { list: 'x' })).error).toMatchObject({ detail: '`in` must evaluate to a list' });
  });
});

describe('raise, emit, wait', () => {
  it('raises an inline error', async () => {
    const played = await run(`
do:
  - raiseError:
      raise: { error: { status: 400, type: https://example.com/compliance, title: Compliance Error, detail: 'for \${ $workflow.id }' } }`);
    expect(played.error).toEqual({
      status: 400,
      type: 'https://example.com/compliance',
      title: 'Compliance Error',
      detail: 'for exec_1',
      instance: '/do/0/raiseError',
    });
    expect(named(played, 'failed')).toEqual(['raiseError']);
  });

  it('raises a named error, and fails for an unknown one', async () => {
    const use = 'use: { errors: { known: { type: https://example.com/known, status: 418 } } }\n';
    expect((await run(`${use}do: [ { a: { raise: { error: known } } } ]`)).error).toMatchObject({ status: 418 });
    expect((await run(`${use}do: [ { a: { raise: { error: other } } } ]`)).error?.detail).toBe(
      '`raise.error` must be an error, or the name of an error in `use.errors`',
    );
  });

  it('emits an event, which is its output, with the same id every time', async () => {
    const yaml = `
do:
  - greet:
      emit:
        event:
          with: { source: https://example.com, type: com.example.greeted, data: { text: '\${ "Hello \\(.name)!" }' } }`;
    const [one, two] = [await run(yaml, { name: 'J' }), await run(yaml, { name: 'J' })];
    expect(one.output).toMatchObject({
      specversion: '1.0',
      source: 'https://example.com',
      type: 'com.example.greeted',
      time: START,
      data: { text: 'Hello J!' },
    });
    expect(one.commands).toEqual(two.commands);
    expect(one.commands[0]).toMatchObject({ type: 'emit', step: '/do/0/greet', event: one.output });
    expect((await run(`do: [ { a: { emit: { event: { with: { type: x } } } } } ]`)).error?.status).toBe(400);
  });

  it.each([
    ['{ seconds: 10 }', '2026-01-01T00:00:10.000Z'],
    ['{ days: 1, milliseconds: 5 }', '2026-01-02T00:00:00.005Z'],
    ['PT1H30M', '2026-01-01T01:30:00.000Z'],
    ["'P1W'", '2026-01-08T00:00:00.000Z'],
    ["{ minutes: '${ .m }' }", '2026-01-01T00:03:00.000Z'],
  ])('waits %s', async (wait, at) => {
    const played = await run(`do: [ { pause: { wait: ${wait} } } ]`, { m: 3 });
    expect(played.at).toBe(at);
    expect(played.output).toEqual({ m: 3 });
    expect(played.advances[0]?.idle).toBe(true);
    expect(named(played, 'waiting')).toEqual(['pause']);
  });

  it.each(['P1M', 'P', 'soon', '{ weeks: 1 }', '{ seconds: -1 }', "'P9999999D'"])(
    'refuses to wait %s',
    async (wait) => {
      expect((await run(`do: [ { pause: { wait: ${wait} } } ]`)).error).toMatchObject({
        detail: '`wait` must be a duration',
      });
    },
  );
});

describe('the loose mode', () => {
  it('evaluates every text as an expression, and keeps it as text if that fails', async () => {
    const definition = workflow(`
evaluate: { language: jq, mode: loose }
do:
  - one: { set: { sum: '.a + .b', text: 'hello world', empty: '', missing: '.a.b.c', url: 'https://example.org/x', both: '\${ .a }' } }`);
    const { output } = await play({ definition, evaluate, context: { input: { a: 1, b: 2 } } });
    expect(output).toEqual({
      sum: 3,
      text: 'hello world',
      empty: '',
      missing: '.a.b.c',
      url: 'https://example.org/x',
      both: 1,
    });
  });
});
