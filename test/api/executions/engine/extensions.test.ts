import { describe, expect, it } from 'vitest';
import type { HttpTask } from '#api/executions/engine/contract/call-task.ts';
import { checkSupported } from '#api/executions/engine/release/check-supported.ts';
import { communication, named, type Played, type PlayOptions, play, useEvaluate, workflow } from './play.ts';

const evaluate = useEvaluate();
const run = (yaml: string, more: Partial<PlayOptions> = {}): Promise<Played> =>
  play({ definition: workflow(yaml), evaluate, ...more });
const bodies = ({ tasks }: Played) => tasks.map(({ task }) => (task as HttpTask).body);

const LOGGING = `
use:
  extensions:
    - logging:
        extend: all
        before: [ { log: { call: http, with: { method: post, endpoint: 'https://log', body: '\${ "before \\($task.name)" }' } } } ]
        after: [ { log: { call: http, with: { method: post, endpoint: 'https://log', body: '\${ ["after", $task.reference, .] }' } } } ]
`;

describe('extensions', () => {
  it('run around a task, have it as `$task`, and keep its data unchanged', async () => {
    const played = await run(`${LOGGING}
do:
  - one: { set: { a: 1 }, output: { as: '.a' } }
  - two: { set: { b: '\${ . }' } }`);
    expect(played.output).toEqual({ b: 1 });
    expect(bodies(played)).toEqual([
      'before one',
      ['after', '/do/0/one', { a: 1 }],
      'before two',
      ['after', '/do/1/two', { b: 1 }],
    ]);
    expect(played.tasks.map(({ step }) => step)).toContain('/do/0/one/extensions/logging/before/0/log');
    // Each gets its own position, however often the same list runs.
    const places = played.steps.filter(({ status }) => status === 'running').map(({ step }) => step);
    expect(new Set(places).size).toBe(places.length);
  });

  it('apply by kind of task and by condition', async () => {
    const played = await run(`
use:
  extensions:
    - sets: { extend: set, when: '$task.set.a == 1', before: [ { noted: { wait: PT1S } } ] }
    - lists: { extend: composite, after: [ { listed: { set: {} } } ] }
do:
  - one: { set: { a: 1 } }
  - two: { set: { a: 2 } }
  - three: { do: [ { inner: { set: { a: 1 } } } ] }`);
    expect(named(played)).toEqual(['noted', 'one', 'two', 'noted', 'inner', 'listed', 'three']);
  });

  it('can respond instead of the task, which does not run', async () => {
    const played = await run(`
use:
  extensions:
    - mock:
        extend: call
        when: $task.call == "http" and ($task.with.endpoint | startswith("https://mocked"))
        before: [ { answer: { set: { content: { id: 7 } }, then: exit } }, { never: { set: {} } } ]
        after: [ { never: { set: {} } } ]
do:
  - get: { call: http, with: { method: get, endpoint: 'https://mocked/x' }, output: { as: .content.id }, then: last }
  - skipped: { set: { no: true } }
  - last: { set: { id: '\${ . }' } }`);
    expect(played.output).toEqual({ id: 7 });
    expect(played.tasks).toEqual([]);
    expect(named(played)).toEqual(['answer', 'get', 'last']);
  });

  it('can end the workflow', async () => {
    const played = await run(`
use: { extensions: [ { stop: { extend: set, before: [ { no: { wait: PT0S, output: { as: '"stopped"' }, then: end } } ] } } ] }
do: [ { one: { set: { a: 1 } } }, { two: { set: { a: 2 } } } ]`);
    expect(played.output).toBe('stopped');
  });

  it('fail the task when they fail, which `try` catches and retries', async () => {
    let calls = 0;
    const played = await run(
      `
use: { extensions: [ { check: { extend: set, before: [ { ask: { call: http, with: { method: get, endpoint: 'https://x' } } } ] } } ] }
do:
  - tried:
      try: [ { one: { set: { a: 1 } } } ]
      catch: { retry: { delay: PT1S, limit: { attempt: { count: 2 } } } }`,
      { outside: () => (calls++ === 0 ? { error: communication(503) } : { output: null }) },
    );
    expect(played.output).toEqual({ a: 1 });
    expect(calls).toBe(2);
  });

  it('end with the task at its time-out', async () => {
    const played = await run(`
use: { extensions: [ { slow: { extend: set, after: [ { pause: { wait: P1D } } ] } } ] }
do: [ { one: { set: { a: 1 }, timeout: { after: PT1S } } } ]`);
    expect(played.error).toMatchObject({ status: 408 });
    expect(played.steps.filter(({ status }) => status === 'cancelled').map(({ name }) => name)).toEqual(['pause']);
  });

  it('apply to no task of an extension, and are validated at release', async () => {
    const definition = workflow(`
use: { extensions: [ { e: { extend: all, before: [ { a: { set: {}, then: nowhere } } ], after: [ { b: { call: unknown } } ] } } ] }
do: []`);
    expect(checkSupported(definition).map(({ key, path }) => [key, path.join('/')])).toEqual([
      ['directive.unknown', 'use/extensions/0/e/before/0/a/then'],
      ['call.unknown', 'use/extensions/0/e/after/0/b/call'],
    ]);
  });
});
