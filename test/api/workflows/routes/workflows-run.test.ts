import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExecutionWorker, type ExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import { createExpressions, type Expressions } from '#api/executions/expressions/expressions.ts';
import { createJobWorker } from '#api/jobs/worker.ts';
import { BULK_ATTEMPTS, BULK_QUEUE, bulkActionHandlers } from '#api/workflows/bulk/run-bulk-action.ts';
import { createStoredDefinitions } from '#api/workflows/definitions/stored-definitions.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { refusal, strictly } from '../../executions/routes/strict-client.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from './workflow-app.ts';

let app: WorkflowApp;
let worker: ExecutionWorker;
let expressions: Expressions;
beforeAll(async () => {
  const { url } = await usePostgres();
  app = await runWorkflowApp(url, { runLimits: { fileBytes: 100_000, filesBytes: 150_000, files: 3 } });
  expressions = createExpressions({ threads: 1 });
  const { definitionOf, resolveWorkflow } = createStoredDefinitions({ database: app.database });
  worker = createExecutionWorker({
    database: app.database,
    interpreter: createInterpreter({ evaluate: expressions.evaluate }),
    definitions: definitionOf,
    resolveWorkflow,
    runTask: async () => null,
    payloads: app.payloads,
    logger: pino({ level: 'silent' }),
    listenUrl: url,
  });
});
afterAll(async () => {
  await worker.stop();
  await expressions.close();
  await app.end();
});

async function runner(tasks: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const { call, user } = await app.user();
  const slug = `run-${user.username.toLowerCase().replace(/[^a-z0-9]/g, '')}`.slice(0, 60);
  const put = await call('PUT', `/api/v1/workflows/${slug}`, { yamlContent: yamlOf(tasks, more, slug) });
  if (put.status !== 200) throw new Error(put.text);
  return {
    call,
    user,
    slug,
    run: (query: string, body?: unknown, headers?: Record<string, string>) =>
      call('POST', `/api/v1/workflows/${slug}/run${query}`, body, headers),
    read: async (id: string, query = '') =>
      strictly('execution', await call('GET', `/api/v1/workflows/executions/${id}${query}`)),
  };
}

const ECHO = { echo: { set: '${ {said: .name} }' } };
/** Deeply nested lists. */
const deep = (depth: number) => {
  let value: unknown = null;
  for (let at = 0; at < depth; at++) value = [value];
  return value;
};
const LISTEN = { approve: { listen: { to: { one: { with: { type: 'approval' } } } } } };

test('a run returns its id, and is read with its outcome and its steps', async () => {
  const { run, read } = await runner(ECHO);
  const { executionId } = strictly(
    'accepted',
    await run('', { input: { name: 'ada' }, overrides: null, trigger: 'cli' }),
  );
  const done = await waitFor('the end', async () => {
    const found = await read(executionId);
    return found.status === 'completed' && found;
  });
  expect(done).toMatchObject({
    id: executionId,
    executionId,
    triggerType: 'cli',
    triggerInput: { name: 'ada' },
    result: { said: 'ada' },
    durationMs: expect.any(Number),
  });
  const { steps } = await read(executionId, '?includeSteps=true');
  expect(steps).toMatchObject([
    { name: 'echo', kind: 'set', status: 'completed', attempt: 1, output: { said: 'ada' } },
  ]);
});

test('reads an execution whose steps are larger together than one read of the database', async () => {
  const { run, read } = await runner({
    turns: {
      for: { each: 'turn', in: '${ [range(20)] }' },
      do: [{ large: { set: { turn: '${ $turn }', text: '${ "x" * (if $turn % 4 == 0 then 300000 else 3 end) }' } } }],
    },
  });
  const { executionId } = strictly('finished', await run('?wait_for_completion=30', { input: {} }));
  const { steps = [], ...execution } = await read(executionId, '?includeSteps=true');
  expect(execution).toEqual(await read(executionId));
  const outputs = (steps as { name: string; output: unknown }[]).flatMap(({ name, output }) =>
    name === 'large' ? [output] : [],
  );
  const expected = Array.from({ length: 20 }, (_, turn) => ({ turn, text: 'x'.repeat(turn % 4 === 0 ? 300_000 : 3) }));
  expect(outputs).toEqual(expected);
  const large = await app.database
    .selectFrom('executionSteps')
    .select('step')
    .where('executionId', '=', executionId)
    .where('outputFile', 'is not', null)
    .execute();
  expect(large.length).toBeGreaterThanOrEqual(5);
});

test('a run with wait returns its outcome, completed or failed', async () => {
  const good = await runner(ECHO);
  const { executionId, ...outcome } = strictly(
    'finished',
    await good.run('?wait_for_completion=30', { input: { name: 'eve' } }),
  );
  expect(executionId).toMatch(/^exec_/);
  expect(outcome).toEqual({ status: 'completed', result: { said: 'eve' }, error: null });
  const bad = await runner({
    fail: {
      raise: {
        error: { type: 'https://example.org/errors/refused', status: 400, title: 'Refused', detail: 'not today' },
      },
    },
  });
  expect(strictly('finished', await bad.run('?wait_for_completion=30'))).toMatchObject({
    status: 'failed',
    error: 'Refused: not today',
  });
});

test('a run that does not end in time returns only its id, and so does a stopping server', async () => {
  const { run, read, call } = await runner(LISTEN);
  const { executionId } = strictly('accepted', await run('?wait_for_completion=1', {}));
  expect(
    (await waitFor('it to wait', async () => (await read(executionId)).status === 'waiting' && true)) && true,
  ).toBe(true);
  expect(strictly('cancelled', await call('POST', `/api/v1/workflows/executions/${executionId}/cancel`))).toMatchObject(
    {
      executionId,
      wasStatus: 'waiting',
    },
  );
  await waitFor('the end', async () => (await read(executionId)).status === 'cancelled');
  expect(strictly('cancelled', await call('POST', `/api/v1/workflows/executions/${executionId}/cancel`))).toEqual({
    executionId,
    status: 'already-terminal',
    wasStatus: 'cancelled',
  });
});

test('status and headers of a held response precede its body, which begins with a space', async () => {
  const { slug, user, call } = await runner(LISTEN);
  const { apiKey } = await app.keys.issue({ userId: user.id, label: 'held' });
  const response = await fetch(`${app.url}/api/v1/workflows/${slug}/run?wait_for_completion=20`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-request-id')).toBeTruthy();
  const event = { specversion: '1.0', id: user.id, source: 'test', type: 'approval', data: { ok: true } };
  const { data } = strictly('executions', await call('GET', `/api/v1/workflows/${slug}/executions`));
  await waitFor(
    'it to wait',
    async () =>
      strictly('execution', await call('GET', `/api/v1/workflows/executions/${data[0]?.id}`)).status === 'waiting',
  );
  expect(
    (await call('POST', '/api/v1/events', event, { 'content-type': 'application/cloudevents+json' })).body,
  ).toEqual({
    accepted: 1,
    duplicates: 0,
  });
  const text = await response.text();
  expect(text).toMatch(/^ +\{/);
  expect(JSON.parse(text)).toMatchObject({ status: 'completed', result: [{ ok: true }] });
});

test('a read of an execution can be held until its end, or for a time', async () => {
  const { run, read, call } = await runner(LISTEN);
  const { executionId } = strictly('accepted', await run('', {}));
  const path = `/api/v1/workflows/executions/${executionId}`;
  expect((await read(executionId, '?wait_for_completion=1')).completedAt).toBeUndefined();
  expect(refusal(await call('GET', `${path}?wait_for_completion=61`)).status).toBe(400);
  const stranger = await app.user();
  const missing = await stranger.call('GET', `${path}?wait_for_completion=60`);
  expect(refusal(missing).status).toBe(404);
  const held = call('GET', `${path}?wait_for_completion=60&includeSteps=true`);
  await waitFor('the read to be held', () => app.watch.watched > 0);
  await call('POST', `${path}/cancel`);
  const ended = strictly('execution', await held);
  expect(ended).toMatchObject({
    executionId,
    status: 'cancelled',
    steps: [expect.objectContaining({ name: 'approve' })],
  });
  expect(await read(executionId, '?wait_for_completion=60')).toMatchObject({ status: 'cancelled' });
});

test('accepts events individually or in batches, counts them once, and rejects invalid ones', async () => {
  const { call } = await app.user();
  const event = (id: string, more: object = {}) => ({
    specversion: '1.0',
    id,
    source: 'urn:test',
    type: 'thing',
    ...more,
  });
  const send = (body: unknown, type = 'application/cloudevents+json') =>
    call('POST', '/api/v1/events', JSON.stringify(body), { 'content-type': type });
  expect((await send([event('1'), event('2'), event('1')], 'application/cloudevents-batch+json')).body).toEqual({
    accepted: 2,
    duplicates: 1,
  });
  expect((await send(event('2', { time: '2026-01-01T00:00:00+02:00', shard: 3 }), 'application/json')).body).toEqual({
    accepted: 0,
    duplicates: 1,
  });
  for (const wrong of [
    {},
    [],
    event(''),
    event('3', { specversion: '0.3' }),
    event('3', { data_base64: 'x' }),
    event('3', { nested: {} }),
    // Regression: text that PostgreSQL cannot store caused an internal error.
    event('3\0'),
    event('3', { source: 'urn:\0' }),
    event('3', { data: deep(20_000) }),
  ])
    expect(refusal(await send(wrong)).status).toBe(400);
  expect(refusal(await send(event('3', { type: 'trapline.detection.opened' }))).issues[0]?.field).toBe('type');
  expect(refusal(await send(Array.from({ length: 101 }, (_, at) => event(`many-${at}`)))).status).toBe(400);
});

test('an event of another user reaches none of my executions; one of an administrator does', async () => {
  const { run, read } = await runner(LISTEN);
  const { executionId } = strictly('accepted', await run('', {}));
  await waitFor('it to wait', async () => (await read(executionId)).status === 'waiting');
  const event = (id: string) => ({ specversion: '1.0', id, source: executionId, type: 'approval' });
  const other = await app.user();
  await other.call('POST', '/api/v1/events', event('1'));
  const [waits] = await Promise.all([
    app.database.selectFrom('executionSignals').selectAll().where('executionId', '=', executionId).execute(),
  ]);
  expect(waits).toEqual([]);
  await app.operator('POST', '/api/v1/events', event('1'));
  await waitFor('the end', async () => (await read(executionId)).status === 'completed');
});

test('does not execute steps with an override, and rejects an unknown name', async () => {
  const { run } = await runner({ first: { set: { really: true } }, second: { set: '${ {got: .} }' } });
  const body = { overrides: { steps: { first: { really: false } } } };
  expect(strictly('finished', await run('?wait_for_completion=20', body)).result).toEqual({ got: { really: false } });
  expect(refusal(await run('', { overrides: { steps: { firts: {} } } })).issues[0]?.field).toBe(
    'overrides.steps.firts',
  );
});

test('selects versions by id, tag and latest; an unknown version is a 404', async () => {
  const { run, call, slug } = await runner({ a: { set: { v: 1 } } });
  await call('PUT', `/api/v1/workflows/${slug}`, { yamlContent: yamlOf({ a: { set: { v: 2 } } }), version: 'v2' });
  const { data } = strictly('versions', await call('GET', `/api/v1/workflows/${slug}/versions`));
  const result = async (version: string) =>
    strictly('finished', await run(`?wait_for_completion=20&version=${version}`)).result;
  expect(await result('1')).toEqual({ v: 1 });
  expect(await result('v2')).toEqual({ v: 2 });
  expect(await result('latest')).toEqual({ v: 2 });
  expect(await result(data[1]?.id ?? '')).toEqual({ v: 1 });
  expect(refusal(await run('?version=9')).status).toBe(404);
});

test('a repeated idempotency key returns the same execution; with another body it is a 400', async () => {
  const { run } = await runner(ECHO);
  const key = { 'idempotency-key': 'order-1' };
  const ids = await Promise.all(
    Array.from(
      { length: 5 },
      async () => strictly('accepted', await run('', { input: { name: 'x' } }, key)).executionId,
    ),
  );
  expect(new Set(ids).size).toBe(1);
  expect(strictly('finished', await run('?wait_for_completion=20', { input: { name: 'x' } }, key)).executionId).toBe(
    ids[0],
  );
  expect(refusal(await run('', { input: { name: 'y' } }, key)).issues[0]).toMatchObject({ field: 'Idempotency-Key' });
  expect(refusal(await run('', {}, { 'idempotency-key': 'x'.repeat(256) })).status).toBe(400);
  const other = await runner(ECHO);
  expect(strictly('accepted', await other.run('', { input: { name: 'x' } }, key)).executionId).not.toBe(ids[0]);
});

test('an invalid request is a 400 and starts nothing', async () => {
  const { run, call, slug } = await runner(ECHO);
  const answers = [
    await run('?wait_for_completion=61', {}),
    await run('?wait_for_completion=-1', {}),
    await run('?wait_for_completion=soon', {}),
    await run('?colour=red', {}),
    await run('', { colour: 'red' }),
    await run('', { trigger: 'webhook' }),
    await run('', '{', { 'content-type': 'application/json' }),
    await run('', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    await run('', { input: 'x'.repeat(18 * 2 ** 20) }),
  ];
  expect(answers.map((answer) => refusal(answer).status)).toEqual(answers.map(() => 400));
  expect(refusal(await run('', { priority: 1 })).status).toBe(403);
  expect(strictly('executions', await call('GET', `/api/v1/workflows/${slug}/executions`)).total).toBe(0);
});

test('stores an input of megabytes as a file, and returns it completely', async () => {
  const { run, read, call, slug } = await runner({ a: { set: { done: true } } });
  const name = 'x'.repeat(600_000);
  const { executionId } = strictly('finished', await run('?wait_for_completion=20', { input: { name } }));
  expect((await read(executionId)).triggerInput).toEqual({ name });
  const listed = await call('GET', `/api/v1/workflows/${slug}/executions`);
  expect(listed.text.length).toBeLessThan(10_000);
  strictly('executions', listed);
});

test('accepts files as fields, with `_json` first, last or missing', async () => {
  const { run, read } = await runner({ a: { set: '${ {file: .report.size, name: .name} }' } });
  const json = JSON.stringify({ input: { name: 'n' }, trigger: 'cli' });
  for (const order of ['first', 'last', 'none'] as const) {
    const form = new FormData();
    if (order === 'first') form.append('_json', json);
    form.append('report', new Blob(['hello'], { type: 'text/csv' }), '../../etc/report.csv');
    if (order === 'last') form.append('_json', json);
    const done = strictly('finished', await run('?wait_for_completion=20', form));
    expect(done.result).toEqual({ file: 5, name: order === 'none' ? null : 'n' });
    expect((await read(done.executionId)).triggerInput).toMatchObject({
      report: {
        file: 'report',
        filename: 'report.csv',
        contentType: 'text/csv',
        size: 5,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    const files = await app.database
      .selectFrom('executionFiles')
      .selectAll()
      .where('executionId', '=', done.executionId)
      .execute();
    expect(files).toMatchObject([{ kind: 'input', path: 'report', size: 5, contentType: 'text/csv' }]);
  }
});

test('rejects invalid forms without leaving incomplete files', async () => {
  const { run, call, slug } = await runner(ECHO);
  const form = (fill: (form: FormData) => void) => {
    const made = new FormData();
    fill(made);
    return made;
  };
  const file = (bytes = 5) => new Blob(['x'.repeat(bytes)]);
  const forms = [
    form((f) => f.append('../../x', file(), 'x')),
    form((f) => f.append('a/../b', file(), 'x')),
    form((f) => f.append('/etc/passwd', file(), 'x')),
    form((f) => f.append('con', file(), 'x')),
    form((f) => f.append('__proto__', file(), 'x')),
    form((f) => f.append('_json', file(), 'x')),
    form((f) => f.append('other', 'a value')),
    form((f) => f.append('_json', '{')),
    form((f) => f.append('_json', '{"input":{"__proto__":{"a":1}}}')),
    form((f) => f.append('_json', JSON.stringify({ input: deep(20_000) }))),
    form((f) => {
      f.append('_json', '{}');
      f.append('_json', '{}');
    }),
    form((f) => {
      f.append('a', file(), 'x');
      f.append('a', file(), 'y');
    }),
    form((f) => {
      f.append('a', file(), 'x');
      f.append('_json', '{"input":{"a":1}}');
    }),
    form((f) => {
      f.append('a', file(), 'x');
      f.append('_json', '{"input":[1]}');
    }),
    form((f) => f.append('a', file(100_001), 'x')),
    form((f) => {
      f.append('a', file(90_000), 'x');
      f.append('b', file(90_000), 'x');
    }),
    form((f) => {
      for (const name of ['a', 'b', 'c', 'd']) f.append(name, file(), name);
    }),
  ];
  const statuses = [];
  for (const body of forms) statuses.push(refusal(await run('', body)).status);
  expect(statuses).toEqual(forms.map(() => 400));
  const broken = 'multipart/form-data; boundary=x';
  expect(refusal(await run('', '--x\r\nno end', { 'content-type': broken })).status).toBe(400);
  expect(refusal(await run('', 'x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
  expect(strictly('executions', await call('GET', `/api/v1/workflows/${slug}/executions`)).total).toBe(0);
  const names = await readdir(app.folder, { recursive: true });
  expect(names.some((name) => name.includes('passwd') || name.includes('..'))).toBe(false);
});

test('a re-run uses the snapshot: same version, input and files', async () => {
  const { run, read, call } = await runner(ECHO);
  const form = new FormData();
  form.append('report', new Blob(['hello']), 'r.txt');
  form.append('_json', JSON.stringify({ input: { name: 'again' } }));
  const { executionId } = strictly('finished', await run('?wait_for_completion=20', form));
  const again = strictly('rerun', await call('POST', `/api/v1/workflows/executions/${executionId}/rerun`));
  expect(again.sourceExecutionId).toBe(executionId);
  const done = await waitFor('the end', async () => {
    const found = await read(again.executionId);
    return found.status === 'completed' && found;
  });
  expect(done).toMatchObject({ triggerType: 'rerun', result: { said: 'again' } });
  const files = await app.database
    .selectFrom('executionFiles')
    .selectAll()
    .where('executionId', '=', again.executionId)
    .execute();
  expect(files).toMatchObject([{ path: 'report' }]);
  const [step] = (await read(executionId, '?includeSteps=true')).steps as { step: string }[];
  const replay = await call('POST', `/api/v1/workflows/executions/${executionId}/rerun`, { fromStep: step?.step });
  expect(strictly('rerun', replay).executionId).not.toBe(again.executionId);
  expect(
    refusal(await call('POST', `/api/v1/workflows/executions/${executionId}/rerun`, { fromStep: '/do/9/x' })).status,
  ).toBe(400);
  // A client that retries after a lost response sends the same request again.
  const once = (body: unknown) =>
    call('POST', `/api/v1/workflows/executions/${executionId}/rerun`, body, { 'idempotency-key': 'once more' });
  const [one, two] = (await Promise.all([once(undefined), once(undefined)])).map((both) => strictly('rerun', both));
  expect(one?.executionId).toBe(two?.executionId);
  expect(refusal(await once({ fromStep: step?.step })).issues[0]).toMatchObject({ field: 'Idempotency-Key' });
  const other = await app.user();
  for (const path of ['', '/rerun', '/cancel'])
    expect(
      refusal(await other.call(path === '' ? 'GET' : 'POST', `/api/v1/workflows/executions/${executionId}${path}`))
        .status,
    ).toBe(404);
});

test('accepts a start beyond a limit with its reason; users who may change the workflow pause and resume it', async () => {
  const document = {
    dsl: '1.0.0',
    namespace: 'test',
    name: 'limited',
    version: '1.0.0',
    metadata: { limits: { concurrency: { max: 1, key: '${ .host | ascii_downcase }' } } },
  };
  const { call, slug, run, read } = await runner(LISTEN, { document });
  const path = `/api/v1/workflows/${slug}`;
  const started = async () => strictly('accepted', await run('', { input: { host: 'WEB' } })).executionId;
  const [first, second] = [await started(), await started()];
  await waitFor('the first to wait', async () => (await read(first)).status === 'waiting');
  const waits = () => call('GET', `/api/v1/workflows/executions/${second}/limits`);
  expect(await waits()).toMatchObject({
    status: 200,
    body: { waitsFor: { reason: 'concurrency', key: '"web"', ahead: 0, until: null, mergedStarts: 0 } },
  });
  const { call: other } = await app.user();
  expect((await other('POST', `${path}/pause`, {})).status).toBe(404);
  const paused = await call('POST', `${path}/pause`, { reason: 'maintenance' });
  expect(paused).toMatchObject({
    status: 200,
    body: {
      paused: { reason: 'maintenance', by: expect.any(String) },
      declared: { concurrency: { max: 1, key: '${ .host | ascii_downcase }' } },
      holding: 1,
      waiting: 1,
      queues: [{ reason: 'paused', key: '"web"', waiting: 1 }],
    },
  });
  await call('POST', `/api/v1/workflows/executions/${first}/cancel`);
  expect(await read(second)).toMatchObject({ status: 'created' });
  expect(await waits()).toMatchObject({ body: { waitsFor: { reason: 'paused' } } });
  expect(await call('GET', '/api/v1/paused-workflows')).toMatchObject({
    body: { data: [{ reason: 'maintenance', workflow: { name: slug } }] },
  });
  expect(await other('GET', '/api/v1/paused-workflows')).toMatchObject({ body: { data: [] } });
  expect(await call('POST', `${path}/resume`)).toMatchObject({ status: 200, body: { paused: null } });
  await waitFor('the second to wait', async () => (await read(second)).status === 'waiting');
  expect(await call('GET', `${path}/limits`)).toMatchObject({ body: { holding: 1, waiting: 0, queues: [] } });
});

test('rejects an invalid limit at release, with its position', async () => {
  const { call } = await app.user();
  const put = (limits: unknown) =>
    call('PUT', '/api/v1/workflows/refused-limits', {
      yamlContent: yamlOf(ECHO, {
        document: { dsl: '1.0.0', namespace: 'test', name: 'refused-limits', version: '1.0.0', metadata: { limits } },
      }),
    });
  const issues = async (limits: unknown) =>
    ((await put(limits)) as unknown as { body: { issues: { field: string; message: string }[] } }).body.issues;
  expect(await issues({ concurrency: { max: 0 } })).toMatchObject([
    {
      field: 'yamlContent.document.metadata.limits.concurrency.max',
      message: expect.stringContaining('must be a whole number from 1 to 1000'),
    },
  ]);
  expect(await issues({ concurrency: { max: 1, key: '${ .host | }' } })).toMatchObject([
    {
      field: 'yamlContent.document.metadata.limits.concurrency.key',
      message: expect.stringContaining('invalid jq expression'),
    },
  ]);
  expect(await issues({ priority: 5 })).toMatchObject([
    { message: expect.stringContaining('only administrators release a priority above 0 (got 5)') },
  ]);
});

test('cancels and replays executions by filter: counted first, then once each in the background', async () => {
  const jobWorker = createJobWorker({
    database: app.database,
    handlers: bulkActionHandlers(app),
    logger: pino({ level: 'silent' }),
  });
  const { call, slug, run, read } = await runner(LISTEN);
  const path = `/api/v1/workflows/${slug}/bulk-actions`;
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(strictly('accepted', await run('', { input: { n } })).executionId);
  for (const id of ids) await waitFor('it to wait', async () => (await read(id)).status === 'waiting');
  expect(await call('POST', `${path}/count`, { action: 'cancel', statuses: ['waiting'] })).toMatchObject({
    status: 200,
    body: { count: 3, max: 10_000 },
  });
  expect((await call('POST', path, { action: 'cancel', statuses: ['failed'] })).status).toBe(400);
  expect((await call('POST', path, { action: 'cancel', expected: 2 })).status).toBe(400);
  expect((await call('POST', path, { action: 'replay' })).status).toBe(400);
  const { call: other } = await app.user();
  expect((await other('POST', path, { action: 'cancel' })).status).toBe(404);
  const act = async (body: object) => {
    const started = (await call('POST', path, body)) as unknown as { status: number; body: { id: string } };
    expect(started.status).toBe(202);
    return waitFor('the end of the action', async () => {
      const found = (await call('GET', `${path}/${started.body.id}`)) as unknown as {
        body: { endedAt: string | null };
      };
      return found.body.endedAt !== null && found.body;
    });
  };
  expect(await act({ action: 'cancel', expected: 3 })).toMatchObject({
    status: 'completed',
    total: 3,
    done: 3,
    skipped: 0,
  });
  for (const id of ids) await waitFor('the end', async () => (await read(id)).status === 'cancelled');
  const replayed = await act({ action: 'replay', statuses: ['cancelled'], version: 'same' });
  expect(replayed).toMatchObject({ status: 'completed', total: 3, done: 3, version: 'same' });
  const { rows } = await sql<{ source: string; priority: number; input: unknown }>`
    SELECT source_execution_id AS source, priority, trigger_input AS input FROM executions
    WHERE source_execution_id = ANY (${ids}::text[]) ORDER BY created_at, id`.execute(app.database);
  expect(rows).toEqual(ids.map((source, n) => ({ source, priority: -10, input: { n } })));
  const { body } = (await call('GET', path)) as unknown as { body: { data: unknown[] } };
  expect(body.data).toHaveLength(2);
  await jobWorker.stop();
});

test('a replay with the current version takes no overrides past an approval, and none of a deleted workflow starts', async () => {
  const jobWorker = createJobWorker({
    database: app.database,
    handlers: bulkActionHandlers(app),
    logger: pino({ level: 'silent' }),
  });
  const { call, slug, run, read } = await runner({ ask: { set: { ok: false } }, act: { set: { done: true } } });
  const path = `/api/v1/workflows/${slug}/bulk-actions`;
  const { executionId } = strictly('accepted', await run('', { overrides: { steps: { ask: { ok: true } } } }));
  await waitFor('the end', async () => (await read(executionId)).status === 'completed');
  const ask = { ...LISTEN.approve, metadata: { approval: { approvers: [{ role: 'admin' }] } } };
  const released = await call('PUT', `/api/v1/workflows/${slug}`, { yamlContent: yamlOf({ ask }, {}, slug) });
  expect(released.text).not.toContain('"error"');
  const replay = async (version: string) => {
    const body = { action: 'replay', statuses: ['completed'], version };
    const started = (await call('POST', path, body)) as unknown as { body: { id: string } };
    return waitFor('the end of the action', async () => {
      const found = (await call('GET', `${path}/${started.body.id}`)) as unknown as {
        body: { endedAt: string | null };
      };
      return found.body.endedAt !== null && found.body;
    });
  };
  expect(await replay('latest')).toMatchObject({ done: 0, skipped: 1, problem: expect.stringContaining('approval') });
  expect(await replay('same')).toMatchObject({ done: 1, skipped: 0, problem: null });
  await jobWorker.stop();
  const started = (await call('POST', path, { action: 'replay', statuses: ['completed'] })) as unknown as {
    body: { id: string };
  };
  expect((await call('DELETE', `/api/v1/workflows/${slug}`)).status).toBe(204);
  const { handle } = bulkActionHandlers(app)[BULK_QUEUE] ?? {};
  const signal = new AbortController().signal;
  const payload = { id: started.body.id };
  await handle?.({ id: 1, payload, attempt: 1, requestId: undefined, signal, finish: async () => {} });
  const { rows } = await sql`
    SELECT status, done, problem FROM workflow_bulk_actions WHERE id = ${started.body.id}`.execute(app.database);
  expect(rows).toEqual([{ status: 'completed', done: 0, problem: 'the workflow is deleted' }]);
});

test('a bulk action whose job failed permanently ends when it is stopped, and its last attempt skips failures', async () => {
  const { call, slug, run, read } = await runner(LISTEN);
  const path = `/api/v1/workflows/${slug}/bulk-actions`;
  const { executionId } = strictly('accepted', await run('', {}));
  await waitFor('it to wait', async () => (await read(executionId)).status === 'waiting');
  const act = async () => (await call('POST', path, { action: 'cancel' })) as unknown as { body: { id: string } };
  const { body } = await act();
  await sql`UPDATE jobs SET state = 'failed', finished_at = now() WHERE key = ${body.id}`.execute(app.database);
  expect((await call('POST', `${path}/${body.id}/stop`)).status).toBe(200);
  const failing = { ...app, executions: { ...app.executions, cancel: () => Promise.reject(new Error('broken')) } };
  const jobWorker = createJobWorker({
    database: app.database,
    handlers: bulkActionHandlers(app),
    logger: pino({ level: 'silent' }),
  });
  await waitFor('the action to stop', async () => {
    const found = (await call('GET', `${path}/${body.id}`)) as unknown as { body: { status: string } };
    return found.body.status === 'stopped';
  });
  await jobWorker.stop();
  const second = await act();
  const { handle } = bulkActionHandlers(failing)[BULK_QUEUE] ?? {};
  const job = { id: 1, payload: { id: second.body.id }, requestId: undefined, finish: async () => {} };
  const { signal } = new AbortController();
  await expect(handle?.({ ...job, signal, attempt: 1 })).rejects.toThrow('broken');
  await handle?.({ ...job, signal, attempt: BULK_ATTEMPTS });
  const { rows } = await sql`
    SELECT status, skipped FROM workflow_bulk_actions WHERE id = ${second.body.id}`.execute(app.database);
  expect(rows).toEqual([{ status: 'completed', skipped: 1 }]);
});

test('a bulk action ends without effect once its account lost the right', async () => {
  const { call, slug, run, read } = await runner(LISTEN);
  const path = `/api/v1/workflows/${slug}`;
  const { executionId } = strictly('accepted', await run('', {}));
  await waitFor('it to wait', async () => (await read(executionId)).status === 'waiting');
  const { handle } = bulkActionHandlers(app)[BULK_QUEUE] ?? {};
  const cancelBy = async (guest: Awaited<ReturnType<WorkflowApp['user']>>, lose: () => Promise<unknown>) => {
    const { username } = await app.database
      .selectFrom('users')
      .select('username')
      .where('id', '=', guest.user.id)
      .executeTakeFirstOrThrow();
    const granted = await call('POST', `${path}/grants`, { permission: 'run', user: username });
    expect(granted.status, granted.text).toBe(200);
    const started = (await guest.call('POST', `${path}/bulk-actions`, { action: 'cancel' })) as unknown as {
      status: number;
      body: { id: string };
    };
    expect(started.status).toBe(202);
    await lose();
    await handle?.({ payload: { id: started.body.id }, signal: AbortSignal.timeout(60_000), attempt: 1 } as never);
    const { rows } = await sql<{ done: number; skipped: number; problem: string }>`
      SELECT done, skipped, problem FROM workflow_bulk_actions WHERE id = ${started.body.id}`.execute(app.database);
    expect(rows).toEqual([{ done: 0, skipped: 1, problem: 'the account that began it may not do this any more' }]);
    expect((await read(executionId)).status).toBe('waiting');
  };
  const [first, second, third] = [await app.user(), await app.user(), await app.user()];
  await cancelBy(first, () =>
    app.database.deleteFrom('automationGrants').where('userId', '=', first.user.id).execute(),
  );
  await cancelBy(second, () =>
    app.database.updateTable('users').set({ disabled: true }).where('id', '=', second.user.id).execute(),
  );
  await cancelBy(third, () =>
    app.database.updateTable('apiKeys').set({ revokedAt: new Date() }).where('userId', '=', third.user.id).execute(),
  );
});

test('a stopped bulk action leaves the rest unchanged, and another can start', async () => {
  const { call, slug, run, read } = await runner(LISTEN);
  const path = `/api/v1/workflows/${slug}/bulk-actions`;
  const { executionId } = strictly('accepted', await run('', {}));
  const started = (await call('POST', path, { action: 'cancel' })) as unknown as { body: { id: string } };
  expect((await call('POST', path, { action: 'cancel' })).status).toBe(400);
  expect((await call('POST', `${path}/${started.body.id}/stop`)).status).toBe(200);
  const jobWorker = createJobWorker({
    database: app.database,
    handlers: bulkActionHandlers(app),
    logger: pino({ level: 'silent' }),
  });
  await waitFor('the action to stop', async () => {
    const found = (await call('GET', `${path}/${started.body.id}`)) as unknown as { body: { status: string } };
    return found.body.status === 'stopped';
  });
  await jobWorker.stop();
  expect((await read(executionId)).status).not.toBe('cancelled');
  expect(await call('POST', path, { action: 'cancel', expected: 1 })).toMatchObject({ status: 202 });
});

test('the owner suspends and resumes an execution, with an audit entry and lifecycle events', async () => {
  const metadata = { lifecycleEvents: true };
  const { call, run, slug } = await runner({
    heard: { listen: { to: { one: { with: { type: 'suspension.test' } } } } },
  });
  const yamlContent = JSON.stringify({
    document: { dsl: '1.0.0', namespace: 'test', name: slug, version: '1.0.0', metadata },
    do: [{ heard: { listen: { to: { one: { with: { type: 'suspension.test' } } } } } }],
  });
  expect((await call('PUT', `/api/v1/workflows/${slug}`, { yamlContent })).status).toBe(200);
  const { executionId } = (await run('')).body as { executionId: string };
  const path = `/api/v1/executions/${executionId}`;
  const waits = async () => ((await call('GET', path)).body as { status: string }).status === 'waiting';
  await waitFor('the execution to wait', waits);
  expect((await call('GET', `${path}/suspension`)).body).toEqual({ suspension: null });
  const other = await app.user();
  for (const answer of [
    await other.call('POST', `${path}/suspend`),
    await other.call('POST', `${path}/resume`),
    await other.call('GET', `${path}/suspension`),
    await call('POST', '/api/v1/executions/exec_none/suspend'),
  ])
    expect(answer.status).toBe(404);

  expect((await call('POST', `${path}/suspend`)).body).toEqual({
    executionId,
    status: 'suspended',
    wasStatus: 'waiting',
  });
  expect((await call('POST', `${path}/suspend`)).body).toMatchObject({ status: 'already-suspended' });
  expect((await call('GET', `${path}/suspension`)).body).toEqual({
    suspension: { requestedAt: expect.any(String), suspendedAt: expect.any(String) },
  });
  expect((await call('GET', path)).body).toMatchObject({ status: 'waiting' });
  expect((await call('POST', `${path}/resume`)).body).toMatchObject({ status: 'resumed' });
  expect((await call('POST', `${path}/resume`)).body).toMatchObject({ status: 'not-suspended' });
  expect((await call('GET', `${path}/suspension`)).body).toEqual({ suspension: null });

  const audited = await app.database
    .selectFrom('auditLog')
    .select(['action', 'actor'])
    .where('target', '=', `execution:${executionId}`)
    .orderBy('id')
    .execute();
  expect(audited.map(({ action }) => action)).toEqual(['execution.suspend', 'execution.resume']);
  expect(audited[0]?.actor).toMatch(/^key:/);
  const events = await app.database
    .selectFrom('executionEvents')
    .select('event')
    .where('source', '=', `/api/v1/workflows/executions/${executionId}`)
    .where('type', 'like', 'io.serverlessworkflow.%ed.v1')
    .execute();
  const reported = events
    .map(({ event }) => event as { type: string; subject: string; data: Record<string, string> })
    .filter(({ type }) => /(suspended|resumed)/.test(type));
  const name = `${slug}-${executionId}.test`;
  expect(
    reported.map(({ type, data }) => [type.slice('io.serverlessworkflow.'.length), data.task ?? data.name]),
  ).toEqual(
    expect.arrayContaining([
      ['workflow.suspended.v1', name],
      ['task.suspended.v1', '/do/0/heard'],
      ['workflow.resumed.v1', name],
      ['task.resumed.v1', '/do/0/heard'],
    ]),
  );
  expect(reported).toHaveLength(4);
  await call('POST', `${path}/cancel`);
  await waitFor('the end', async () => ((await call('GET', path)).body as { status: string }).status === 'cancelled');
  expect((await call('POST', `${path}/suspend`)).body).toMatchObject({ status: 'already-terminal' });
});

test('includes the cause of an execution only on request, for strict clients', async () => {
  const { call, run, user, slug, read } = await runner(ECHO);
  const ran = await run('', { input: { name: 'Ada' } });
  const byKey = (ran.body as { executionId: string }).executionId;
  const again = await call('POST', `/api/v1/workflows/executions/${byKey}/rerun`);
  const repeated = (again.body as { executionId: string }).executionId;
  const { id: workflowId, currentVersionId: versionId } = await app.database
    .selectFrom('workflows')
    .select(['id', 'currentVersionId'])
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const accept = async (of: { triggerType: string; startedBy?: string; parentId?: string }) => {
    const unit = { kind: 'workflow', workflowId, versionId, ownerId: user.id } as const;
    const accepted = await app.executions.accept({ ...unit, ...of });
    if (accepted.outcome === 'conflict') throw new Error('a conflict');
    return accepted.id;
  };
  const bySession = await accept({ triggerType: 'api', startedBy: `user:${user.id}` });
  const bySchedule = await accept({ triggerType: 'schedule' });
  const byParent = await accept({ triggerType: 'workflow', parentId: byKey });
  // Started by an earlier version.
  const earlier = await accept({ triggerType: 'api' });
  const byDeleted = await accept({ triggerType: 'api', startedBy: 'user:00000000-0000-4000-8000-000000000000' });

  const ana = { id: user.id, username: user.username };
  const nothing = { user: null, keyLabel: null, executionId: null };
  const expected = {
    [byKey]: { how: 'key', user: ana, keyLabel: 'test', executionId: null },
    [repeated]: { how: 'key', user: ana, keyLabel: 'test', executionId: null },
    [bySession]: { how: 'console', user: ana, keyLabel: null, executionId: null },
    [bySchedule]: { ...nothing, how: 'schedule' },
    [byParent]: { ...nothing, how: 'workflow', executionId: byKey },
    [earlier]: null,
    [byDeleted]: { ...nothing, how: 'console' },
  };
  const listed = async (path: string, as = call) => {
    const { data } = (await as('GET', path)).body as { data: { id: string; startedBy?: unknown }[] };
    return Object.fromEntries(data.map(({ id, startedBy }) => [id, startedBy]));
  };
  expect(await listed(`/api/v1/workflows/${slug}/executions?include=startedBy`)).toEqual(expected);
  expect(await listed(`/api/v1/executions?workflow=${slug}&include=startedBy`)).toEqual(expected);
  for (const path of [`/api/v1/workflows/executions/${byKey}`, `/api/v1/executions/${byKey}`]) {
    expect((await call('GET', `${path}?include=startedBy`)).body).toMatchObject({ startedBy: expected[byKey] });
    expect((await call('GET', path)).body).not.toHaveProperty('startedBy');
  }
  const withSteps = await call('GET', `/api/v1/workflows/executions/${byKey}?include=startedBy&includeSteps=true`);
  expect(withSteps.body).toMatchObject({ startedBy: expected[byKey], steps: expect.any(Array) });
  strictly('executions', await call('GET', `/api/v1/workflows/${slug}/executions`));
  await read(byKey, '?includeSteps=true');
  expect(refusal(await call('GET', `/api/v1/workflows/executions/${byKey}?include=startedby`)).status).toBe(400);

  // A reader with a grant sees the user, but not the label of the user's key. Administrators see both.
  const reader = await app.user();
  const grant = { permission: 'view', user: reader.user.username };
  expect((await call('POST', `/api/v1/workflows/${slug}/grants`, grant)).status).toBe(200);
  const path = `/api/v1/workflows/${slug}/executions?include=startedBy`;
  expect((await listed(path, reader.call))[byKey]).toEqual({ ...expected[byKey], keyLabel: null });
  const admin = await app.user('admin');
  expect((await listed(path, admin.call))[byKey]).toEqual(expected[byKey]);
  expect((await listed(path, app.operator))[byKey]).toEqual(expected[byKey]);
});
