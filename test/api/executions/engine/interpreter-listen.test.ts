import { describe, expect, it } from 'vitest';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import type { EngineEvent } from '#api/executions/engine/contract/port.ts';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { contextOf, type Played, type PlayOptions, play, START, useEvaluate, workflow } from './play.ts';

/** Cases of `listen` with `until` and `foreach`. Plain `listen` is tested with the other tasks. */

const evaluate = useEvaluate();
let sent = 0;
const event = (type: string, data: JsonValue = null, id = `e${++sent}`): CloudEvent => ({
  specversion: '1.0',
  id,
  source: 'urn:test',
  type,
  data,
});
const run = (yaml: string, more: Partial<PlayOptions> = {}): Promise<Played> =>
  play({ definition: workflow(yaml), evaluate, ...more });
const listen = (to: string, more = ''): string => `
do:
  - hear:
      listen: { to: ${to} }
      ${more}`;
const types = ({ commands }: Played): readonly string[] => commands.map(({ type }) => type);

describe('until', () => {
  it('takes every matching event until an expression is true for the list of them', async () => {
    const played = await run(listen('{ any: [ { with: { type: t } } ], until: "(map(.n) | add) > 5" }'), {
      events: [
        event('t', { n: 1 }),
        event('other', { n: 9 }),
        event('t', { n: 3 }),
        event('t', { n: 2 }),
        event('t', { n: 7 }),
      ],
    });
    expect(played.output).toEqual([{ n: 1 }, { n: 3 }, { n: 2 }]);
    expect(types(played)).toEqual(['listen', 'stop-listening', 'complete']);
  });

  it('takes the same event once', async () => {
    const played = await run(listen('{ any: [ { with: { type: t } } ], until: length == 2 }'), {
      events: [event('t', 1, 'one'), event('t', 1, 'one'), event('t', 2, 'two')],
    });
    expect(played.output).toEqual([1, 2]);
  });

  it('ends by separate events, which are not part of the output', async () => {
    const played = await run(
      listen(
        '{ any: [ { with: { type: t } } ], until: { all: [ { with: { type: stop } }, { with: { type: now } } ] } }',
      ),
      { events: [event('now'), event('t', 1), event('now'), event('t', 2), event('stop'), event('t', 3)] },
    );
    expect(played.output).toEqual([1, 2]);
    // All three types select this listener, and one event may be sufficient.
    expect(played.commands[0]).toMatchObject({
      mode: 'any',
      filters: [{ with: { type: 't' } }, { with: { type: 'stop' } }, { with: { type: 'now' } }],
    });
  });

  it('returns an empty list if nothing arrived before the end', async () => {
    const played = await run(listen('{ any: [], until: { one: { with: { type: stop } } } }'), {
      events: [event('stop')],
    });
    expect(played.output).toEqual([]);
  });

  it('listens to every event, with raw content if requested', async () => {
    const base64 = { ...event('c', undefined), data_base64: 'AAE=' };
    const played = await run("do: [ { hear: { listen: { to: { any: [], until: 'length == 4' }, read: raw } } } ]", {
      events: [event('a', { a: 1 }), event('b', 'text'), base64, { ...event('d'), data: undefined }] as CloudEvent[],
    });
    expect(played.output).toEqual([btoa('{"a":1}'), btoa('text'), 'AAE=', null]);
  });

  it('correlates all events by the first one', async () => {
    const tied = 'correlate: { order: { from: .data.order } }';
    const played = await run(
      listen(`{ any: [ { with: { type: t }, ${tied} } ], until: { one: { with: { type: stop }, ${tied} } } }`),
      {
        events: [
          event('t', { order: 1 }),
          event('t', { order: 2 }),
          event('stop', { order: 2 }),
          event('stop', { order: 1 }),
        ],
      },
    );
    expect(played.output).toEqual([{ order: 1 }]);
  });

  it('fails with a failing expression or a time-out, and stops listening', async () => {
    const broken = await run(listen('{ any: [ { with: { type: t } } ], until: error("no") }'), {
      events: [event('t')],
    });
    expect(broken.error).toMatchObject({ status: 400, instance: '/do/0/hear' });
    expect(types(broken)).toEqual(['listen', 'stop-listening', 'fail']);
    const limited = await run(listen('{ any: [], until: "false" }', 'timeout: { after: PT5M }'), {
      events: [event('t')],
    });
    expect(limited.error?.status).toBe(408);
    expect(types(limited)).toContain('stop-listening');
  });

  it('ends when more events arrived than a run may have steps', async () => {
    const played = await run(listen('{ any: [], until: "false" }'), {
      interpreter: createInterpreter({ evaluate, stepsPerRun: 10 }),
      events: Array.from({ length: 20 }, () => event('t')),
    });
    expect(played.error).toMatchObject({ status: 500, detail: expect.stringContaining('the limit of 10 steps') });
  });
});

describe('foreach', () => {
  it('runs an iteration for each event in order, and lists the results', async () => {
    const played = await run(
      listen(
        '{ any: [ { with: { type: t } } ], until: length == 3 }',
        `foreach:
        item: heard
        at: i
        do:
          - ask: { call: http, with: { method: get, endpoint: 'https://example.com', query: { n: '\${ $heard.n }' } } }
          - note: { set: { n: '\${ $heard.n }', i: '\${ $i }', got: '\${ .ok }' } }
        output: { as: '\${ { n, i, got, before: ($context.seen // 0) } }' }
        export: { as: '\${ { seen: .n } }' }
      output: { as: '\${ { turns: ., last: $context.seen } }' }`,
      ),
      {
        // Events arrive during an iteration, because tasks respond last.
        choose: (possible) =>
          Math.max(
            0,
            possible.findIndex(({ type }) => type === 'event-received'),
          ),
        outside: () => ({ output: { ok: true } }),
        events: [event('t', { n: 5 }), event('t', { n: 6 }), event('t', { n: 7 })],
      },
    );
    expect(played.output).toEqual({
      turns: [
        { n: 5, i: 0, got: true, before: 0 },
        { n: 6, i: 1, got: true, before: 5 },
        { n: 7, i: 2, got: true, before: 6 },
      ],
      last: 7,
    });
    expect(played.tasks.map(({ step }) => step)).toEqual(
      [0, 1, 2].map((turn) => `/do/0/hear/foreach[${turn}]/do/0/ask`),
    );
    expect(new Set(played.tasks.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });

  it('works without tasks: the output is the event', async () => {
    const played = await run(
      listen(
        '{ all: [ { with: { type: a } }, { with: { type: b } } ] }',
        "foreach: { output: { as: '${ {got: .} }' } }",
      ),
      { events: [event('b', 2), event('a', 1)] },
    );
    expect(played.output).toEqual([{ got: 2 }, { got: 1 }]);
  });

  it('evaluates `until` again after an iteration, which may have exported its data', async () => {
    const played = await run(
      listen(
        '{ any: [ { with: { type: t } } ], until: $context.enough == true }',
        `foreach: { do: [ { n: { set: { n: '\${ $item }' }, export: { as: '\${ {enough: (.n > 1)} }' } } } ] }`,
      ),
      { events: [event('t', 1), event('t', 2), event('t', 3)] },
    );
    expect(played.output).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('ends the workflow at `end`, the iteration at `exit`, and stops listening', async () => {
    const ending = (next: string): string =>
      listen(
        '{ any: [], until: length == 2 }',
        `foreach: { do: [ { a: { set: { n: '\${ $item }' }, then: ${next} } }, { b: { set: { no: true } } } ] }`,
      );
    const events = [event('t', 1), event('t', 2)];
    const ended = await run(ending('end'), { events });
    expect(ended.output).toEqual({ n: 1 });
    expect(types(ended)).toEqual(['listen', 'stop-listening', 'complete']);
    expect((await run(ending('exit'), { events })).output).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('cancels tasks of an iteration when the task ends', async () => {
    const played = await run(
      listen(
        '{ any: [] , until: "false" }',
        `timeout: { after: PT1M }
      foreach: { do: [ { inner: { listen: { to: { one: { with: { type: never } } } } } } ] }`,
      ),
      { events: [event('t')] },
    );
    expect(played.error?.status).toBe(408);
    expect(types(played).filter((type) => type === 'stop-listening')).toHaveLength(2);
  });

  it('continues after each event was stored and read again, and the worker died', async () => {
    const definition = workflow(
      listen(
        '{ any: [ { with: { type: t } } ], until: { one: { with: { type: stop } } } }',
        "foreach: { do: [ { ask: { run: { script: { language: js, code: '1' } } } } ] }",
      ),
    );
    const interpreter = createInterpreter({ evaluate });
    const wait = '/do/0/hear#listen.1';
    const ask = (turn: number): string => `/do/0/hear/foreach[${turn}]/do/0/ask`;
    const answered = (turn: number): EngineEvent => ({
      type: 'task-completed',
      step: ask(turn),
      attempt: 1,
      output: turn,
      at: START,
    });
    const heard = (one: CloudEvent): EngineEvent => ({ type: 'event-received', wait, events: [one], at: START });
    const [first, second] = [event('t', 1), event('t', 2)];
    const recover: EngineEvent = { type: 'recover', at: START };
    let advance = await interpreter.start(definition, contextOf(), START);
    const commands: string[][] = [];
    for (const next of [
      heard(first),
      recover,
      heard(second),
      heard(first),
      heard(event('stop')),
      heard(event('t', 3)),
      answered(0),
      recover,
      answered(0),
      answered(1),
    ]) {
      const state = JSON.parse(JSON.stringify(advance.state)) as JsonValue;
      advance = await interpreter.advance(definition, contextOf(), state, next);
      commands.push(
        advance.commands.map((command) => ('step' in command ? `${command.type} ${command.step}` : command.type)),
      );
    }
    const begun = (turn: number): string => `run-task ${ask(turn)}`;
    expect(commands).toEqual([
      [begun(0)],
      [begun(0)],
      [],
      [],
      ['stop-listening'],
      [],
      [begun(1)],
      [begun(1)],
      [],
      ['complete'],
    ]);
    expect(advance.commands).toMatchObject([{ output: [0, 1] }]);
  });

  it('continues with a wait in the storage format of earlier versions', async () => {
    const definition = workflow(listen('{ all: [ { with: { type: a } }, { with: { type: b } } ] }'));
    const interpreter = createInterpreter({ evaluate });
    const wait = '/do/0/hear#listen.1';
    const begun = await interpreter.start(definition, contextOf(), START);
    const { position, values } = begun.state as { position: JsonValue; values: JsonValue[] };
    const place = values.findIndex((value) => Array.isArray(value) && value.length === 0);
    const kept = values.with(place, [null, { id: 'b', source: 'urn:test', event: 2 }]);
    const ended = await interpreter.advance(
      definition,
      contextOf(),
      { position, values: kept },
      {
        type: 'event-received',
        wait,
        events: [event('b', 3, 'b'), event('a', 1)],
        at: START,
      },
    );
    expect(ended.commands).toMatchObject([{ type: 'stop-listening' }, { type: 'complete', output: [1, 2] }]);
  });
});

describe('a subscription of AsyncAPI', () => {
  const subscribe = (more: string, next = '') => `
do:
  - hear:
      call: asyncapi
      with: { document: { endpoint: 'https://example.com/api.json' }, channel: c, subscription: { consume: { amount: 4 }, ${more} } }
      ${next}`;
  const messages = [1, 2, 3, 4].map((n) => ({ payload: { n }, headers: {} }));
  const outside: PlayOptions['outside'] = (task) => ({ output: task.kind === 'asyncapi' ? messages : { ok: true } });

  it('passes its expressions on, with the values of their variables', async () => {
    const filter = '${ .payload.n > $input.least }';
    const played = await run(subscribe(`filter: '${filter}'`), { outside, context: { input: { least: 2 } } });
    expect(played.tasks[0]?.task).toMatchObject({
      subscription: { amount: 4, filter, variables: { input: { least: 2 } } },
    });
    // Received events have already passed the filter.
    expect(played.output).toEqual(messages);
  });

  it('runs an iteration for each message in order, and lists the results', async () => {
    const played = await run(
      subscribe(
        `foreach: { item: message, at: i, do: [
          { ask: { call: http, with: { method: get, endpoint: 'https://example.com', query: { n: '\${ $message.payload.n }' } } } },
          { note: { set: { n: '\${ $message.payload.n }', i: '\${ $i }', got: '\${ .ok }' } } } ],
          output: { as: '\${ { n, i, got } }' }, export: { as: '\${ { seen: .n } }' } }`,
        `output: { as: '\${ { turns: ., last: $context.seen } }' }`,
      ),
      { outside: (task) => (task.kind === 'asyncapi' ? { output: messages.slice(0, 2) } : { output: { ok: true } }) },
    );
    expect(played.output).toEqual({
      turns: [
        { n: 1, i: 0, got: true },
        { n: 2, i: 1, got: true },
      ],
      last: 2,
    });
    expect(played.tasks.map(({ step }) => step)).toEqual([
      '/do/0/hear',
      '/do/0/hear/with/subscription/foreach[0]/do/0/ask',
      '/do/0/hear/with/subscription/foreach[1]/do/0/ask',
    ]);
  });

  it('is caught when an iteration fails, and cancels running tasks at its time-out', async () => {
    const failing = subscribe(
      `foreach: { do: [ { no: { raise: { error: { type: urn:no, status: 400, title: No } } } } ] }`,
    );
    expect((await run(failing, { outside })).error).toMatchObject({
      type: 'urn:no',
      instance: '/do/0/hear/with/subscription/foreach[0]/do/0/no',
    });
    const slow = await run(
      subscribe(
        `foreach: { do: [ { ask: { call: http, with: { method: get, endpoint: 'https://example.com' } } } ] }`,
        'timeout: { after: { seconds: 5 } }',
      ),
      { outside: (task) => (task.kind === 'asyncapi' ? { output: messages } : undefined) },
    );
    expect(slow.error).toMatchObject({ status: 408 });
    expect(slow.commands).toContainEqual({
      type: 'cancel-task',
      step: '/do/0/hear/with/subscription/foreach[0]/do/0/ask',
    });
  });
});
