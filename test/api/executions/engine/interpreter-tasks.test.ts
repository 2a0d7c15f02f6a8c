import { describe, expect, it } from 'vitest';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import { communication, named, type PlayOptions, play, START, useEvaluate, workflow } from './play.ts';

/** Cases of fork, try, listen, call, run and timeouts. */
const evaluate = useEvaluate();
const run = (yaml: string, more: Partial<PlayOptions> = {}) => play({ definition: workflow(yaml), evaluate, ...more });
const http = (path: string): string => `call: http, with: { method: get, endpoint: 'https://example.com/${path}' }`;
const event = (type: string, data: CloudEvent['data'] = {}, id = type): CloudEvent => ({
  specversion: '1.0',
  id,
  source: 'urn:test',
  type,
  data,
});

describe('fork', () => {
  it('runs branches concurrently and returns the list of their outputs', async () => {
    const played = await run(
      `
do:
  - both:
      fork:
        branches:
          - slow: { ${http('slow')} }
          - fast: { ${http('fast')} }`,
      { outside: (task) => ({ output: task.kind === 'http' ? task.endpoint : null }), choose: (all) => all.length - 1 },
    );
    expect(played.output).toEqual(['https://example.com/slow', 'https://example.com/fast']);
    expect(played.advances[0]?.commands).toHaveLength(2);
    expect(played.advances[0]?.idle).toBe(false);
    expect(named(played)).toEqual(['fast', 'slow', 'both']);
  });

  it('ends the other branches when one fails', async () => {
    const played = await run(
      `
do:
  - both:
      fork:
        branches:
          - never: { ${http('never')} }
          - pause: { wait: PT1H }
          - bad: { raise: { error: { type: https://example.com/bad, status: 500 } } }`,
    );
    expect(played.error).toMatchObject({ type: 'https://example.com/bad', instance: '/do/0/both/fork/branches/2/bad' });
    // The step began and ended in one advance, so there was no command for it.
    expect(played.commands.map(({ type }) => type)).toEqual(['fail']);
    expect(named(played, 'cancelled')).toEqual(['never', 'pause']);
  });

  it('takes the first completed branch when they compete, and ends the others', async () => {
    const played = await run(
      `
do:
  - race:
      fork:
        compete: true
        branches:
          - one: { ${http('one')} }
          - two: { ${http('two')} }
          - three: { ${http('three')} }`,
      {
        outside: (task) => {
          const name = task.kind === 'http' ? task.endpoint.slice(20) : '';
          return name === 'one'
            ? { error: communication(503) }
            : name === 'two'
              ? { output: { won: name } }
              : undefined;
        },
      },
    );
    expect(played.output).toEqual({ won: 'two' });
    expect(played.commands.filter(({ type }) => type === 'cancel-task')).toEqual([
      { type: 'cancel-task', step: '/do/0/race/fork/branches/2/three' },
    ]);
  });

  it('fails when every competing branch has failed', async () => {
    const played = await run(
      `do: [ { race: { fork: { compete: true, branches: [ { a: { ${http('a')} } }, { b: { ${http('b')} } } ] } } } ]`,
      {
        outside: (_task, { name }) => ({ error: communication(name === 'a' ? 501 : 502) }),
      },
    );
    expect(played.error).toMatchObject({ status: 502, instance: '/do/0/race/fork/branches/1/b' });
  });

  it('ends the workflow from a branch, and rejects other jumps out of one', async () => {
    const end = `do: [ { f: { fork: { branches: [ { a: { set: { n: 1 }, then: end } }, { b: { wait: PT1H } } ] } } }, { after: { set: { n: 2 } } } ]`;
    expect((await run(end)).output).toEqual({ n: 1 });
    const jump = end.replace('then: end', 'then: after');
    expect((await run(jump)).error?.detail).toBe('a branch cannot continue with "after"');
  });
});

describe('try', () => {
  const body = (clause: string): string => `
do:
  - attempt:
      try: [ { get: { ${http('x')} } } ]
      catch: ${clause}
  - after: { set: { seen: '\${ . }' } }`;

  it('catches matching errors, and passes the error to `do`', async () => {
    const played = await run(
      body(
        `{ errors: { with: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 404 } }, as: err, do: [ { handle: { set: { error: '\${ $err }' } } } ] }`,
      ),
      { outside: () => ({ error: communication(404) }) },
    );
    expect(played.output).toEqual({ seen: { error: { ...communication(404), instance: '/do/0/attempt/try/0/get' } } });
  });

  it.each([
    ['another status', `{ errors: { with: { status: 503 } }, do: [ { h: { set: { n: 1 } } } ] }`],
    ['`when`', `{ when: '$error.status == 503', do: [ { h: { set: { n: 1 } } } ] }`],
    ['`exceptWhen`', `{ exceptWhen: '$error.status == 404', do: [ { h: { set: { n: 1 } } } ] }`],
  ])('does not catch what %s excludes', async (_what, clause) => {
    const played = await run(body(clause), { outside: () => ({ error: communication(404) }) });
    expect(played.error).toMatchObject({ status: 404 });
  });

  it('continues with its input if the catch has no directive', async () => {
    const played = await run(body('{}'), {
      context: { input: { n: 1 } },
      outside: () => ({ error: communication(500) }),
    });
    expect(played.output).toEqual({ seen: { n: 1 } });
  });

  it('passes on errors of `catch.do`', async () => {
    const played = await run(
      body(`{ do: [ { h: { raise: { error: { type: 'https://example.com/x', status: 500 } } } } ] }`),
      {
        outside: () => ({ error: communication(500) }),
      },
    );
    expect(played.error).toMatchObject({ type: 'https://example.com/x', instance: '/do/0/attempt/catch/do/0/h' });
  });

  it.each([
    ['constant', [3, 6, 9]],
    ['linear', [3, 9, 18]],
    ['exponential', [3, 9, 21]],
  ])('retries with a %s back-off', async (backoff, seconds) => {
    const played = await run(
      body(`{ retry: { delay: { seconds: 3 }, backoff: { ${backoff}: {} }, limit: { attempt: { count: 3 } } } }`),
      { outside: (_task, _command, seen) => (seen < 4 ? { error: communication(503) } : { output: 'ok' }) },
    );
    expect(played.output).toEqual({ seen: 'ok' });
    expect(
      played.commands
        .filter((command) => command.type === 'start-timer')
        .map(({ at }) => (Date.parse(at) - Date.parse(START)) / 1_000),
    ).toEqual(seconds);
    expect(played.tasks.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(new Set(played.tasks.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('gives up after the maximum retries, with `do` or the error', async () => {
    const clause = `retry: { limit: { attempt: { count: 2 } } }`;
    const outside = () => ({ error: communication(503) });
    const failed = await run(body(`{ ${clause} }`), { outside });
    expect(failed.error).toMatchObject({ status: 503 });
    expect(failed.tasks).toHaveLength(3);
    const handled = await run(body(`{ ${clause}, do: [ { h: { set: { n: 1 } } } ] }`), { outside });
    expect(handled.output).toEqual({ seen: { n: 1 } });
  });

  it('limits the total time and each attempt, and evaluates `when` of the policy', async () => {
    const outside = () => ({ error: communication(503) });
    const whole = await run(body(`{ retry: { delay: PT10S, limit: { duration: PT25S } } }`), { outside });
    expect(whole.tasks).toHaveLength(3);
    const one = await run(body(`{ retry: { limit: { attempt: { count: 1, duration: PT5S } } } }`), {
      outside: () => undefined,
    });
    expect(one.error).toMatchObject({ status: 408, detail: 'the attempt exceeded its time limit' });
    expect(one.tasks).toHaveLength(2);
    expect(one.at).toBe('2026-01-01T00:00:10.000Z');
    const asked = await run(body(`{ retry: { when: '$error.status == 500' } }`), { outside });
    expect(asked.tasks).toHaveLength(1);
  });

  it('draws the same jitter again, within its range, and another for another execution', async () => {
    const delayOf = async (executionId: string) => {
      const played = await run(
        body(`{ retry: { delay: PT1S, jitter: { from: PT1S, to: PT9S }, limit: { attempt: { count: 1 } } } }`),
        {
          context: { executionId },
          outside: () => ({ error: communication(503) }),
        },
      );
      return Date.parse(played.at) - Date.parse(START);
    };
    const [one, again, other] = [await delayOf('exec_1'), await delayOf('exec_1'), await delayOf('exec_2')];
    expect(one).toBe(again);
    expect(one).not.toBe(other);
    for (const ms of [one, other]) {
      expect(ms).toBeGreaterThanOrEqual(2_000);
      expect(ms).toBeLessThanOrEqual(10_000);
    }
  });

  it('counts attempts of a nested try on, so that no two are the same', async () => {
    const played = await run(
      `
use: { retries: { twice: { limit: { attempt: { count: 1 } } } } }
do:
  - outer:
      try:
        - inner:
            try: [ { get: { ${http('x')} } } ]
            catch: { retry: twice }
      catch: { retry: twice }`,
      { outside: () => ({ error: communication(503) }) },
    );
    expect(played.tasks.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  });
});

describe('jumps', () => {
  it('runs steps again as new attempts with separate keys', async () => {
    const played = await run(
      `
do:
  - get: { ${http('x')}, output: { as: '{ n: ($input.n + 1) }' } }
  - again: { switch: [ { more: { when: .n < 3, then: get } }, { enough: { then: end } } ] }`,
      { context: { input: { n: 0 } } },
    );
    expect(played.output).toEqual({ n: 3 });
    expect(played.tasks.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(played.tasks.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });
});

describe('listen', () => {
  const listen = (to: string, more = ''): string => `
do:
  - approval:
      listen: { to: ${to} ${more} }`;

  it('waits for one matching event, and ignores others', async () => {
    const played = await run(
      listen(
        `{ one: { with: { type: approved, data: '\${ .score > 5 }' }, correlate: { id: { from: .data.id, expect: '\${ .id }' } } } }`,
      ),
      {
        context: { input: { id: 7 } },
        events: [
          event('other', { id: 7, score: 9 }),
          event('approved', { id: 8, score: 9 }, 'wrong-id'),
          event('approved', { id: 7, score: 1 }, 'low'),
          event('approved', { id: 7, score: 9 }, 'right'),
        ],
      },
    );
    expect(played.output).toEqual([{ id: 7, score: 9 }]);
    expect(played.commands[0]).toMatchObject({
      type: 'listen',
      mode: 'one',
      filters: [{ with: { type: 'approved' }, correlate: { id: { from: '.data.id', expect: 7 } } }],
    });
    expect(played.commands.map(({ type }) => type)).toEqual(['listen', 'stop-listening', 'complete']);
    expect(played.advances[0]?.idle).toBe(true);
  });

  it('waits for all, each with its own filter, correlated by the first one', async () => {
    const played = await run(
      listen(
        `{ all: [ { with: { type: paid }, correlate: { order: { from: .data.order } } }, { with: { type: 'sent\\..*' }, correlate: { order: { from: .data.order } } } ] }`,
        ', read: envelope',
      ),
      {
        events: [
          event('sent.x', { order: 1 }, 'a'),
          event('sent.x', { order: 1 }, 'again'),
          event('paid', { order: 2 }, 'other'),
          event('paid', { order: 1 }, 'b'),
        ],
      },
    );
    expect(played.output).toMatchObject([
      { id: 'b', type: 'paid' },
      { id: 'a', type: 'sent.x' },
    ]);
  });

  it('takes any of several', async () => {
    const played = await run(listen('{ any: [ { with: { type: a } }, { with: { type: b } } ] }'), {
      events: [event('b', 2)],
    });
    expect(played.output).toEqual([2]);
  });

  it('waits without limit if nothing matches, and ends at its time-out', async () => {
    const yaml = listen('{ one: { with: { type: a } } }');
    expect((await run(yaml, { events: [event('b')] })).ended).toBe(false);
    const limited = await run(`${yaml}\n      timeout: { after: PT5M }`, { events: [event('b')] });
    expect(limited.error).toMatchObject({ status: 408, instance: '/do/0/approval' });
    expect(limited.commands.map(({ type }) => type)).toContain('stop-listening');
  });

  it('rejects an event that contains an imitation of a secret', async () => {
    const played = await run(listen('{ one: { with: { type: a } } }'), { events: [event('a', { $secret: 'x' })] });
    expect(played.error?.status).toBe(400);
  });
});

describe('call', () => {
  it('evaluates the arguments of http, with secrets as names', async () => {
    const played = await run(
      `
use:
  secrets: [token]
  authentications: { byToken: { bearer: { token: '\${ $secrets.token }' } } }
do:
  - post:
      call: http
      with:
        method: post
        endpoint: { uri: 'https://example.com/{id}/x?q={name}', authentication: { use: byToken } }
        headers: { x-key: '\${ $secrets.token }', x-n: '\${ .id }', x-none: '\${ null }' }
        query: { page: 2 }
        body: { deep: [ '\${ .name }', '\${ $secrets.token }' ] }
        output: response
        redirect: true`,
      { context: { input: { id: 5, name: 'a b' }, secretNames: ['token'] } },
    );
    expect(played.tasks[0]).toMatchObject({
      attempt: 1,
      name: 'post',
      idempotencyKey: 'exec_1:/do/0/post',
      task: {
        kind: 'http',
        method: 'POST',
        endpoint: 'https://example.com/5/x?q=a%20b',
        authentication: { scheme: 'bearer', token: { $secret: 'token' } },
        headers: { 'x-key': { $secret: 'token' }, 'x-n': '5' },
        query: { page: '2' },
        body: { deep: ['a b', { $secret: 'token' }] },
        output: 'response',
        redirect: true,
      },
    });
  });

  it('supports client credentials, whose secret stays a name', async () => {
    const played = await run(
      `
use:
  secrets: [client]
  authentications:
    idp:
      oauth2:
        authority: 'https://id.example.com/realms/a/'
        grant: client_credentials
        client: { id: trapline, secret: '\${ $secrets.client }', authentication: client_secret_basic }
        scopes: [ '\${ .scope }' ]
do:
  - get: { call: http, with: { method: get, endpoint: { uri: 'https://example.com', authentication: { use: idp } } } }`,
      { context: { input: { scope: 'read' }, secretNames: ['client'] } },
    );
    expect(played.tasks[0]?.task).toMatchObject({
      authentication: {
        scheme: 'oauth2',
        tokenUrl: 'https://id.example.com/realms/a/oauth2/token',
        clientId: 'trapline',
        clientSecret: { $secret: 'client' },
        clientAuthentication: 'client_secret_basic',
        scopes: ['read'],
        audiences: [],
      },
    });
  });

  it('sends a list of messages with the certificate of a secret', async () => {
    const played = await run(
      `
use:
  secrets: [client]
  authentications: { partner: { certificate: { use: client } } }
do:
  - chat:
      call: grpc
      with:
        proto: { endpoint: https://example.com/chat.proto }
        service: { name: Chat, host: chat.example.com, authentication: { use: partner } }
        method: Send
        arguments: '\${ [.names[] | { name: . }] }'`,
      { context: { input: { names: ['ann', 'bob'] }, secretNames: ['client'] } },
    );
    expect(played.tasks[0]?.task).toMatchObject({
      authentication: { scheme: 'certificate', secret: 'client' },
      arguments: [{ name: 'ann' }, { name: 'bob' }],
    });
  });

  it.each([
    [
      'a value the input does not have',
      `{ method: get, endpoint: 'https://example.com/{id}' }`,
      'the input has no simple value "id"',
    ],
    [
      'a header that is not a string',
      `{ method: get, endpoint: 'https://example.com', headers: { x: { a: 1 } } }`,
      '"x" must be a string',
    ],
    [
      'a secret within a text',
      `{ method: get, endpoint: 'https://example.com', headers: { x: 'Bearer \${ $secrets.token }' } }`,
      'a secret must be a whole value',
    ],
    [
      'a secret that is not declared',
      `{ method: get, endpoint: { uri: 'https://example.com', authentication: { basic: { use: other } } } }`,
      'there is no secret "other"',
    ],
    [
      'a certificate that is not declared',
      `{ method: get, endpoint: { uri: 'https://example.com', authentication: { certificate: { use: other } } } }`,
      'there is no secret "other"',
    ],
    ['an unknown method', `{ method: 'GE T', endpoint: 'https://example.com' }`, 'must be an HTTP method'],
  ])('rejects %s', async (_what, args, detail) => {
    const played = await run(`do: [ { a: { call: http, with: ${args} } } ]`, { context: { secretNames: ['token'] } });
    expect(played.error?.detail).toContain(detail);
  });

  it('calls functions with arguments, also functions that are lists of tasks', async () => {
    const played = await run(
      `
use:
  functions:
    twice: { do: [ { a: { set: { n: '\${ .n * 2 }' } } }, { b: { ${http('x')} } }, { c: { set: { n: '\${ . }' } } } ] }
do:
  - call: { call: twice, with: { n: '\${ .x + 1 }' } }`,
      { context: { input: { x: 2 } }, outside: () => ({ output: 6 }) },
    );
    expect(played.output).toEqual({ n: 6 });
    expect(played.tasks[0]?.step).toBe('/do/0/call/call/twice/do/1/b');
  });

  it('stops a function that calls itself', async () => {
    const played = await run(
      `use: { functions: { f: { call: f } } }\ndo: [ { a: { try: [ { b: { call: f } } ], catch: {} } } ]`,
    );
    expect(played.error?.detail).toBe('tasks are nested more than 64 deep');
  });
});

describe('run', () => {
  it('runs scripts and workflows, and keeps the data if it does not wait', async () => {
    const played = await run(
      `
do:
  - script: { run: { script: { language: js, code: 'return 1', arguments: { a: '\${ .n }' }, environment: { E: '\${ .n }' } } } }
  - child: { run: { workflow: { namespace: x, name: other, version: 1.0.0, input: { b: '\${ . }' } } } }
  - later: { run: { workflow: { namespace: x, name: other, version: latest }, await: false } }`,
      { context: { input: { n: 1 } }, outside: (task) => ({ output: `${task.kind} done` }) },
    );
    expect(played.tasks.map(({ task }) => task)).toEqual([
      { kind: 'script', language: 'js', code: 'return 1', arguments: { a: 1 }, environment: { E: '1' } },
      { kind: 'workflow', slug: 'other', version: '1.0.0', input: { b: 'script done' }, await: true },
      { kind: 'workflow', slug: 'other', version: 'latest', input: {}, await: false },
    ]);
    expect(played.output).toBe('workflow done');
  });

  it('calls an external worker, with its own input or that of the task', async () => {
    const played = await run(
      `
do:
  - own: { call: trapline.worker, with: { queue: sandbox, type: '\${ .kind }', input: { n: '\${ .n }' } }, timeout: { after: { seconds: 5 } } }
  - whole: { call: trapline.worker, with: { queue: sandbox, type: scan } }`,
      { context: { input: { n: 1, kind: 'detonate' } }, outside: () => ({ output: 'done' }) },
    );
    expect(played.tasks.map(({ task }) => task)).toEqual([
      {
        kind: 'worker',
        queue: 'sandbox',
        type: 'detonate',
        input: { n: 1 },
        deadline: '2026-01-01T00:00:05.000Z',
      },
      { kind: 'worker', queue: 'sandbox', type: 'scan', input: 'done' },
    ]);
    const unnamed = `do: [ { a: { call: trapline.worker, with: { queue: '\${ .n }', type: x } } } ]`;
    expect((await run(unnamed, { context: { input: { n: 'a queue' } } })).error?.status).toBe(400);
    const secret = `do: [ { a: { call: trapline.worker, with: { queue: q, type: x, input: { a: '\${ $secrets.s }' } } } } ]`;
    expect((await run(secret, { context: { secretNames: ['s'] } })).error?.status).toBe(403);
  });

  it('does not retry a permanent failure', async () => {
    const error = { type: 'https://example.org/no', status: 500, retryable: false } as const;
    const played = await run(
      `
do:
  - a:
      try: [ { b: { call: trapline.worker, with: { queue: q, type: x } } } ]
      catch: { retry: { limit: { attempt: { count: 3 } } }, do: [ { c: { set: { caught: true } } } ] }`,
      { outside: () => ({ error }) },
    );
    expect([played.tasks.length, played.output]).toEqual([1, { caught: true }]);
  });

  it('passes no secrets to scripts and workflows', async () => {
    for (const what of [
      `script: { code: x, arguments: { a: '\${ $secrets.s }' } }`,
      `workflow: { namespace: x, name: y, version: z, input: { a: [ '\${ $secrets.s }' ] } }`,
    ])
      expect(
        (await run(`do: [ { a: { run: { ${what} } } } ]`, { context: { secretNames: ['s'] } })).error?.status,
      ).toBe(403);
  });
});

describe('time-outs and limits', () => {
  it('ends a task at its time-out, which can be caught', async () => {
    const played = await run(
      `
use: { timeouts: { short: { after: { seconds: 5 } } } }
do:
  - attempt:
      try:
        - group:
            do: [ { get: { ${http('x')} } } ]
            timeout: short
      catch: { errors: { with: { status: 408 } }, do: [ { h: { set: { late: '\${ $error.instance }' } } } ] }`,
      { outside: () => undefined },
    );
    expect(played.output).toEqual({ late: '/do/0/attempt/try/0/group' });
    expect(played.commands).toContainEqual({ type: 'cancel-task', step: '/do/0/attempt/try/0/group/do/0/get' });
    expect(played.at).toBe('2026-01-01T00:00:05.000Z');
  });

  it('ends the workflow at its time-out, which cannot be caught', async () => {
    const played = await run(`timeout: { after: PT1M }\ndo: [ { a: { try: [ { w: { wait: PT1H } } ], catch: {} } } ]`);
    expect(played.error).toMatchObject({ status: 408, instance: '/timeout' });
    expect(played.commands.map(({ type }) => type)).toEqual(['start-timer', 'start-timer', 'cancel-timer', 'fail']);
  });

  it('leaves no timer when the task ends in time', async () => {
    const played = await run(`do: [ { a: { ${http('x')}, timeout: { after: PT1M } } } ]`);
    expect(played.commands.map(({ type }) => type)).toEqual(['start-timer', 'run-task', 'cancel-timer', 'complete']);
  });

  it('yields after much work, and stops an endless loop', async () => {
    const { createInterpreter } = await import('#api/executions/engine/interpreter.ts');
    const yaml = `do: [ { a: { try: [ { x: { set: { n: '\${ .n }' } } }, { y: { set: { n: 1 }, then: x } } ], catch: {} } } ]`;
    const played = await run(yaml, {
      interpreter: createInterpreter({ evaluate, stepsPerAdvance: 100, stepsPerRun: 1_000 }),
    });
    expect(played.error?.detail).toBe('the run exceeded the limit of 1000 steps');
    expect(played.advances.length).toBe(11);
    expect(played.commands.filter(({ type }) => type === 'continue')).toHaveLength(10);
  });

  it('stops retries that never start a task', async () => {
    const { createInterpreter } = await import('#api/executions/engine/interpreter.ts');
    const played = await run('do: [ { a: { try: [ {} ], catch: { retry: {} } } } ]', {
      interpreter: createInterpreter({ evaluate, stepsPerAdvance: 100, stepsPerRun: 1_000 }),
    });
    expect(played.error?.detail).toBe('the run exceeded the limit of 1000 steps');
  });

  it('evaluates patterns of schemas within a time limit', async () => {
    const yaml = (pattern: string): string =>
      `input: { schema: { document: { properties: { a: { type: string, pattern: '${pattern}' } } } } }\ndo: [ { a: { set: { n: 1 } } } ]`;
    expect((await run(yaml('^a+$'), { context: { input: { a: 'aaa' } } })).output).toEqual({ n: 1 });
    expect((await run(yaml('^a+$'), { context: { input: { a: 'b' } } })).error?.type).toMatch(/validation$/);
    const refused = await run(yaml('^(a+)+$'), { context: { input: { a: `${'a'.repeat(40)}b` } } });
    expect(refused.error?.detail).toContain('its time could grow exponentially');
    const slow = await run(yaml('^a*a*a*a*a*a*b$'), { context: { input: { a: 'a'.repeat(5_000) } } });
    expect(slow.error?.detail).toBe('the input: it takes too long to check');
  });

  it('repeats requests for tasks after a crash, with the same attempt and key', async () => {
    const { createInterpreter } = await import('#api/executions/engine/interpreter.ts');
    const { contextOf } = await import('./play.ts');
    const interpreter = createInterpreter({ evaluate });
    const definition = workflow(
      `do: [ { f: { fork: { branches: [ { a: { ${http('a')} } }, { b: { wait: PT1H } } ] } } } ]`,
    );
    const begun = await interpreter.start(definition, contextOf(), START);
    const again = await interpreter.advance(definition, contextOf(), begun.state, { type: 'recover', at: START });
    expect(again.commands).toEqual(begun.commands.filter(({ type }) => type === 'run-task'));
    expect(again.steps).toEqual([]);
    expect(again.state).toEqual(begun.state);
  });
});
