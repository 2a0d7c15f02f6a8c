import { createHash } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';
import { traceAfter } from '#api/executions/store/trace.ts';
import { createConsoleLines } from '#api/executions/tasks/console-lines.ts';
import { createTaskFiles } from '#api/executions/tasks/task-files.ts';
import { createTaskRunner } from '#api/executions/tasks/task-runner.ts';
import { createOutboundConnect } from '#api/outbound/outbound-connect.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { createStoredDefinitions } from '#api/workflows/definitions/stored-definitions.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { startMcpSessionServer } from '../../outbound/mcp-session-server.ts';
import { startWebServer } from '../../outbound/web-server.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from './workflow-app.ts';

/** Runs with real tasks: scripts in the sandbox, calls through the outbound guard. */

const NO_BROKER = () => Promise.reject(new Error('there is no broker here'));

let app: WorkflowApp;
let end: () => Promise<void>;
beforeAll(async () => {
  const { url } = await usePostgres();
  app = await runWorkflowApp(url);
  const { database, payloads, contents } = app;
  const logger = pino({ level: 'silent' });
  const expressions = createExpressions({ threads: 1 });
  const sandbox = createSandbox({ threads: 2 });
  const fetch = createOutboundFetch({ allow: ['127.0.0.0/8'] });
  const { definitionOf, resolveWorkflow } = createStoredDefinitions({ database });
  const tasks = createTaskRunner({
    fetch,
    evaluate: expressions.evaluate,
    outbound: createOutboundConnect({ allow: [] }),
    broker: { publish: NO_BROKER, receive: NO_BROKER },
    sandbox,
    resolveSecrets: async () => new Map(),
    files: createTaskFiles({ database, contents }),
    lines: createConsoleLines({ database, logger }),
    callFunction: () => Promise.reject(new Error('there is no detection service here')),
  });
  const worker = createExecutionWorker({
    database,
    interpreter: createInterpreter({ evaluate: expressions.evaluate }),
    definitions: definitionOf,
    resolveWorkflow,
    runTask: tasks.runTask,
    endRun: tasks.endRun,
    payloads,
    logger,
    listenUrl: url,
  });
  end = async () => {
    await worker.stop();
    await tasks.close();
    await Promise.all([expressions.close(), sandbox.close(), fetch.close()]);
    await app.end();
  };
});
afterAll(() => end());

const script = (code: string, given: object = {}) => ({
  run: { script: { language: 'javascript', code, arguments: given } },
});
let number = 0;
async function put(tasks: Record<string, unknown>) {
  const slug = `tasks-${++number}`;
  const { status, text } = await app.operator('PUT', `/api/v1/workflows/${slug}`, {
    yamlContent: yamlOf(tasks, {}, slug),
  });
  if (status !== 200) throw new Error(text);
  return slug;
}
interface Outcome {
  readonly executionId: string;
  readonly status: string;
  readonly result: never;
  readonly error: string;
}
async function run(slug: string, files: Record<string, Blob> = {}): Promise<Outcome> {
  const form = new FormData();
  for (const [name, file] of Object.entries(files)) form.append(name, file, `${name}.bin`);
  const body = Object.keys(files).length === 0 ? {} : form;
  const { status, text } = await app.operator('POST', `/api/v1/workflows/${slug}/run?wait_for_completion=60`, body);
  if (status !== 201) throw new Error(text);
  return JSON.parse(text);
}

test('a script reads the input files as text, as base64 and in parts', async () => {
  const slug = await put({
    read: script(
      `
      const text = await tools.files.read({ path: 'note' });
      const bytes = await tools.files.read({ path: 'sample', encoding: 'base64' });
      const parts = [];
      for (let offset = 0; offset < large.size; offset += 2000000)
        parts.push((await tools.files.read({ path: large.file, offset, length: 2000000 })).content.length);
      let whole, missing;
      try { await tools.files.read({ path: 'large' }) } catch (e) { whole = e.message }
      try { await tools.files.read({ path: '../note' }) } catch (e) { missing = e.message }
      return { list: await tools.files.list(), text, bytes, parts, whole, missing };
    `,
      { large: `$\{ .large }` },
    ),
  });
  const { result } = await run(slug, {
    note: new Blob(['Grüße'], { type: 'text/plain' }),
    sample: new Blob([Buffer.from([0, 255, 10])]),
    large: new Blob(['x'.repeat(5_000_000)]),
  });
  expect(result).toEqual({
    list: [
      { path: 'large', filename: 'large.bin', size: 5_000_000, contentType: 'text/plain; charset=utf-8' },
      { path: 'note', filename: 'note.bin', size: 7, contentType: 'text/plain' },
      { path: 'sample', filename: 'sample.bin', size: 3, contentType: 'application/octet-stream' },
    ],
    text: { path: 'note', filename: 'note.bin', size: 7, contentType: 'text/plain', content: 'Grüße' },
    bytes: {
      path: 'sample',
      filename: 'sample.bin',
      size: 3,
      contentType: 'application/octet-stream',
      content: 'AP8K',
    },
    parts: [2_000_000, 2_000_000, 1_000_000],
    whole: expect.stringContaining('in parts of at most'),
    missing: 'the run has no input file "../note"',
  });
});

test('a part of a run reads the files of the whole run, and no run reads those of another', async () => {
  const child = await put({ read: script(`(await tools.files.read({ path: 'note' })).content`) });
  const parent = await put({
    ask: { run: { workflow: { namespace: 'test', name: child, version: '1', input: {} } } },
  });
  expect((await run(parent, { note: new Blob(['from above']) })).result).toBe('from above');
  expect(await run(child)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('the run has no input file'),
  });
});

test('a file can be the body of a call; a reference to another value stays unchanged', async () => {
  const got: { type: string | undefined; body: Buffer }[] = [];
  const { port } = await startWebServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push({ type: request.headers['content-type'], body: Buffer.concat(chunks) });
    response.end();
  });
  const send = (body: string) => ({
    call: 'http',
    with: { method: 'POST', endpoint: `http://127.0.0.1:${port}/`, body },
  });
  const slug = await put({
    one: send(`$\{ $workflow.input.sample }`),
    two: send(`$\{ $workflow.input.sample + { sha256: ("0" * 64) } }`),
  });
  const bytes = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
  expect(await run(slug, { sample: new Blob([bytes], { type: 'text/plain' }) })).toMatchObject({ status: 'completed' });
  expect(got[0]).toEqual({ type: 'image/png', body: bytes });
  expect(got[1]?.type).toBe('application/json');
  expect(JSON.parse(String(got[1]?.body))).toMatchObject({ file: 'sample', sha256: '0'.repeat(64) });
  expect(createHash('sha256').update(bytes).digest('hex')).not.toBe('0'.repeat(64));
});

const LOOP = 'for (let i = 0; i < 1200; i += 1) console.debug(i)';

test('output of a script is in the log while it runs, in order, before its step ends', async () => {
  let answer: () => void = () => {};
  const { port, requests } = await startWebServer((_request, response) => {
    answer = () => response.end();
  });
  const slug = await put({
    talk: script(`console.log('one', { two: 2 }); console.warn('three'); console.error(new Error('four'))`),
    hold: { call: 'http', with: { method: 'GET', endpoint: `http://127.0.0.1:${port}/` } },
    // A script may compute for one second. On a busy machine this is too short for all checks in one script.
    ...Object.fromEntries(Array.from({ length: 10 }, (_, part) => [`loop-${part}`, script(LOOP)])),
  });
  const begun = await app.operator('POST', `/api/v1/workflows/${slug}/run`, {});
  const { executionId } = JSON.parse(begun.text) as Outcome;
  const trace = async () => {
    const all = [];
    for (let after = 0; ; ) {
      const entries = await traceAfter(app.database, [{ id: executionId, after }]);
      if (entries.length === 0) return all;
      all.push(...entries);
      after = entries.at(-1)?.seq ?? 0;
    }
  };
  await waitFor('the call', () => requests.length === 1);
  const live = await trace();
  const lines = live.flatMap((entry) => (entry.kind === 'line' ? [[entry.level, entry.text]] : []));
  expect(lines).toEqual([
    ['info', 'one {"two":2}'],
    ['warn', 'three'],
    ['error', 'Error: four'],
  ]);
  const talked = live.findIndex((entry) => entry.kind === 'step' && entry.name === 'talk');
  expect(live.findLastIndex((entry) => entry.kind === 'line')).toBeLessThan(talked);
  answer();
  const events = await app.operator('GET', `/api/v1/executions/${executionId}/events`);
  expect(events.text).toContain('event: line');
  expect(events.text).toContain('"level":"warn"');
  const said = (await trace()).filter((entry) => entry.kind === 'line');
  expect(said).toHaveLength(10_001);
  expect(said.at(-1)).toMatchObject({ level: 'warn', text: 'more than 10000 lines: the rest is left out' });
});

test('steps within one millisecond keep their order and their parents', async () => {
  const slug = await put({
    first: { do: [{ a: { set: { x: 1 } } }, { inner: { do: [{ b: { set: { x: 2 } } }] } }] },
    second: {
      for: { each: 'item', in: '$' + '{ [1, 2] }' },
      do: [{ c: { set: { x: 3 } } }],
    },
  });
  const { executionId, status } = await run(slug);
  expect(status).toBe('completed');
  const entries = await traceAfter(app.database, [{ id: executionId, after: 0 }]);
  const steps = entries.flatMap((entry) => (entry.kind === 'step' ? [entry] : []));
  const names = new Map(steps.map(({ step, name }) => [step, name]));
  const begun = steps.toSorted((a, b) => a.sequence - b.sequence);
  expect(begun.map(({ name, parent }) => [name, parent === null ? null : names.get(parent.step)])).toEqual([
    ['first', null],
    ['a', 'first'],
    ['inner', 'first'],
    ['b', 'inner'],
    ['second', null],
    ['c', 'second'],
    ['c', 'second'],
  ]);
});

describe('a dry run', () => {
  const definition = (more: Record<string, unknown> = {}) =>
    yamlOf({
      look: {
        ...script('({ found: host.length })', { host: '${ .host }' }),
        export: { as: '${ $context + { found: .found } }' },
      },
      decide: { set: { many: '${ $context.found > 3 }' } },
      ...more,
      report: {
        emit: { event: { with: { source: 'https://example.org/test', type: 'org.example.reported', data: '${ . }' } } },
      },
    });

  test('evaluates a changed definition on recorded outcomes, without effects, and stops at the first missing one', async () => {
    const call = app.operator;
    const released = await call('PUT', '/api/v1/workflows/dry', { yamlContent: definition() });
    expect(released.status, released.text).toBe(200);
    const first = await call('POST', '/api/v1/workflows/dry/run?wait_for_completion=60', { input: { host: 'web-1' } });
    const { executionId } = first.body as { executionId: string };
    expect(first.body).toMatchObject({ status: 'completed' });
    const sent = async () =>
      (
        await app.database
          .selectFrom('executionEvents')
          .select('seq')
          .where('type', '=', 'org.example.reported')
          .execute()
      ).length;
    expect(await sent()).toBe(1);

    const outcome = async (yamlContent: string) => {
      const answer = await call('POST', '/api/v1/workflows/dry/dry-run', { yamlContent, executionId });
      expect(answer.status, answer.text).toBe(201);
      const { executionId: id } = answer.body as { executionId: string };
      const path = `/api/v1/workflows/executions/${id}?includeSteps=true&wait_for_completion=60`;
      return (await call('GET', path)).body as {
        id: string;
        status: string;
        error?: string;
        steps: { name: string; status: string; output?: unknown }[];
      };
    };
    // A new first task changes the paths of the others, and the condition differs: both are evaluated on the recorded
    // outcome.
    const changed = JSON.parse(definition()) as { do: object[] };
    changed.do.unshift({ begin: { set: '${ . }' } });
    const moved = await outcome(JSON.stringify(changed).replace('> 3', '> 10'));
    expect(moved.status).toBe('completed');
    expect(moved.steps.find(({ name }) => name === 'decide')?.output).toEqual({ many: false });
    const stopped = await outcome(
      definition({ careful: { try: [{ fresh: script('1') }], catch: { do: [{ mended: { set: { done: true } } }] } } }),
    );
    expect(stopped).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('the dry run stopped at the step "fresh"'),
    });
    expect(stopped.steps.filter(({ status }) => status === 'failed').map(({ name }) => name)).toEqual([
      'careful',
      'fresh',
    ]);
    const waits = await outcome(
      definition({ ask: { listen: { to: { one: { with: { type: 'org.example.answer' } } } } } }),
    );
    expect(waits).toMatchObject({ status: 'failed', error: expect.stringContaining('recorded no event') });
    expect(
      [...stopped.steps, ...waits.steps].filter(({ status }) => status === 'running' || status === 'waiting'),
    ).toEqual([]);
    expect(await sent()).toBe(1);
    const failures = await app.database
      .selectFrom('executionEvents')
      .select('seq')
      .where('type', '=', 'trapline.execution.failed')
      .where('eventId', '=', stopped.id)
      .execute();
    expect(failures).toEqual([]);
    expect((await call('POST', `/api/v1/workflows/executions/${stopped.id}/rerun`, {})).status).toBe(400);
    expect(
      (await call('POST', '/api/v1/workflows/dry/dry-run', { yamlContent: definition(), executionId: stopped.id }))
        .status,
    ).toBe(400);
    const other = await app.user();
    expect(
      (await other.call('POST', '/api/v1/workflows/dry/dry-run', { yamlContent: definition(), executionId })).status,
    ).toBe(404);

    const checked = await call('POST', '/api/v1/workflows/check', { yamlContent: definition() });
    expect(checked.body).toMatchObject({
      valid: true,
      tasks: [{ name: 'look', place: ['do', 0, 'look'] }, { name: 'decide' }, { name: 'report' }],
    });
    expect((await call('POST', '/api/v1/workflows/check', { yamlContent: 'do: 1' })).body).toMatchObject({
      valid: false,
    });
    expect(await (await call('GET', '/api/v1/workflow-schema')).body).toHaveProperty('$defs');
  });
});

test('stores lifecycle events with the changes that they report, also of a cancelled workflow', async () => {
  const slug = `lifecycle-${++number}`;
  const definition = (tasks: string) =>
    `document: { dsl: 1.0.3, namespace: test, name: ${slug}, version: 1.0.0, metadata: { lifecycleEvents: true } }\ndo: ${tasks}\n`;
  const release = (tasks: string) =>
    app.operator('PUT', `/api/v1/workflows/${slug}`, { yamlContent: definition(tasks) });
  const eventsOf = async (id: string) => {
    const events = await app.database
      .selectFrom('executionEvents')
      .select(['type', 'event'])
      .where('source', '=', `/api/v1/workflows/executions/${id}`)
      .orderBy('seq')
      .execute();
    return events.map(({ type }) => type.replace('io.serverlessworkflow.', ''));
  };
  const completed = 'io.serverlessworkflow.workflow.completed.v1';
  const listening = await put({
    heard: { listen: { to: { one: { with: { type: completed } } } }, output: { as: '.[0].output' } },
  });
  const heard = run(listening);
  await release('[ { one: { set: { a: 1 } } } ]');
  const { executionId } = await run(slug);
  expect((await heard).result).toEqual({ a: 1 });
  expect(await eventsOf(executionId)).toEqual([
    'workflow.started.v1',
    'task.created.v1',
    'task.started.v1',
    'task.completed.v1',
    'workflow.completed.v1',
  ]);
  await release('[ { pause: { wait: { days: 1 } } } ]');
  const { text } = await app.operator('POST', `/api/v1/workflows/${slug}/run`, {});
  const waiting = (JSON.parse(text) as Outcome).executionId;
  await expect.poll(() => eventsOf(waiting)).toContain('task.started.v1');
  await app.operator('POST', `/api/v1/workflows/executions/${waiting}/cancel`, {});
  await expect.poll(() => eventsOf(waiting)).toContain('workflow.cancelled.v1');
});

test('a script returns what a process would', async () => {
  const code = `console.log('out', process.argv[2], process.stdin.read()); console.warn('warned'); if (process.argv[2] === 'bad') throw new Error('no')`;
  const part = (result: string, given = 'good', more = {}) => ({
    run: { script: { language: 'js', code, arguments: [given], stdin: `\${ "in" }` }, return: result, ...more },
    output: { as: '{ all: (($input.all? // []) + [.]) }' },
  });
  const slug = await put({
    stdout: part('stdout'),
    stderr: part('stderr'),
    code: part('code'),
    failed: part('code', 'bad'),
    all: part('all', 'bad'),
    none: part('none'),
    detached: { run: { script: { language: 'js', code, arguments: ['bad'] }, await: false } },
  });
  expect((await run(slug)).result).toEqual({
    all: ['out good in', 'warned', 0, 1, { code: 1, stdout: 'out bad in', stderr: 'warned\nError: no (line 1)' }, null],
  });
});

test('the tasks of a run share a session with an MCP server, until the run waits or ends', async () => {
  const server = await startMcpSessionServer();
  const call = {
    call: 'mcp',
    with: { method: 'tools/call', parameters: { name: 'count' }, transport: { http: { endpoint: server.url } } },
    output: { as: '.content[0].text' },
  };
  // If the time of a wait has come when it is stored, the run continues without waiting.
  const slug = await put({ one: call, two: call, pause: { wait: 'PT0.5S' }, three: call });
  expect((await run(slug)).result).toBe('1');
  const twice = await put({ one: call, two: call });
  expect((await run(twice)).result).toBe('2');
  await expect.poll(() => server.ended.length).toBe(3);
  expect(server.begun()).toBe(3);
});

test('fetches a script from its source', async () => {
  const { port } = await startWebServer((_request, response) => response.end('return { doubled: n * 2 };'));
  const endpoint = `http://127.0.0.1:${port}/double.js`;
  const slug = await put({
    double: { run: { script: { language: 'js', source: { endpoint }, arguments: { n: 21 } } } },
  });
  expect((await run(slug)).result).toEqual({ doubled: 42 });
});
