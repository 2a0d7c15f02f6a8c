import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  AgentExecutionFilters,
  Client,
  DetectionFilters,
  EventFilters,
  ListAgentsParams,
  RunAgentResponse,
  WorkflowExecutionFilters,
  WorkflowFilters,
} from '#api/clients/typescript/src/index.ts';
import { FILTER_SHAPES } from '#api/http/queries/list-query.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { AGENT_SCRIPT } from '../served.ts';
import { built, served } from './client-and-server.ts';
import './failures.suite.ts';

/** The built client against a real server. */

let home: string;
let client: Client;
/** Through the relay. */
let faulty: Client;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-client-'));
  const { createClient } = built.main;
  client = createClient({ apiKey: served.key, baseUrl: served.url });
  faulty = createClient({ apiKey: served.key, baseUrl: served.proxy.url });
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('executions', () => {
  test('are followed until they end, from any position, and run again', async () => {
    const { executionId } = await client.workflows.run('client-double', { number: 4 });
    const events = await collect(client.executions.follow(executionId));
    expect(events.map(({ event, executionId: of }) => [event, of])).toContainEqual(['step', executionId]);
    expect(events.at(-1)).toMatchObject({ event: 'status', status: 'completed' });
    const middle = events.at(-3)?.id;
    expect(await collect(client.executions.follow(executionId, { after: middle }))).toEqual(events.slice(-2));
    const again = await client.workflows.executions.rerun(executionId);
    expect(again).toMatchObject({ sourceExecutionId: executionId });
    await collect(client.executions.follow(again.executionId));
    const ended = await client.workflows.executions.get(again.executionId);
    expect(ended).toMatchObject({ status: 'completed', result: { doubled: 8 } });
    const replayed = await client.workflows.executions.rerun(executionId, { fromStep: 'double' });
    await collect(client.executions.follow(replayed.executionId));
    const wrong = client.workflows.executions.rerun(executionId, { fromStep: 'none' });
    await expect(wrong).rejects.toBeInstanceOf(built.main.ServiceValidationError);
    await expect(collect(client.executions.follow('exec_none'))).rejects.toBeInstanceOf(
      built.main.ServiceNotFoundError,
    );
  });

  test('are closed when the caller leaves the loop or aborts', async () => {
    const { executionId } = await client.workflows.run('client-wait');
    for await (const { event } of client.executions.follow(executionId)) if (event === 'status') break;
    const enough = new AbortController();
    const reading = collect(client.executions.follow(executionId, {}, { signal: enough.signal }));
    enough.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(await client.executions.suspension(executionId)).toBeNull();
    expect((await client.executions.suspend(executionId)).status).toMatch(/^suspen/);
    expect(await client.executions.suspension(executionId)).toMatchObject({ requestedAt: expect.any(String) });
    expect((await client.executions.resume(executionId)).status).toBe('resumed');
    await client.workflows.executions.cancel(executionId);
    const events = await collect(client.executions.follow(executionId));
    expect(events).toContainEqual(expect.objectContaining({ event: 'status', status: 'cancelled' }));
  });
});

describe('automation', () => {
  test('a workflow is paused and resumed, and its executions are ended in bulk', async () => {
    const { workflows } = client;
    await workflows.pause('client-wait', { reason: 'a test' });
    expect((await workflows.limits('client-wait')).paused?.reason).toBe('a test');
    expect((await workflows.paused()).data.map(({ workflow }) => workflow.name)).toEqual(['client-wait']);
    const { executionId } = await workflows.run('client-wait');
    expect((await workflows.resume('client-wait')).paused).toBeNull();
    const selection = { action: 'cancel' } as const;
    expect((await workflows.bulkActions.count('client-wait', selection)).count).toBe(1);
    const { id } = await workflows.bulkActions.start('client-wait', { ...selection, expected: 1 });
    const events = await collect(client.executions.follow(executionId));
    expect(events).toContainEqual(expect.objectContaining({ event: 'status', status: 'cancelled' }));
    expect((await workflows.bulkActions.list('client-wait')).data[0]?.id).toBe(id);
    await workflows.bulkActions.stop('client-wait', id);
    expect(await workflows.bulkActions.get('client-wait', id)).toMatchObject({ total: 1, problem: null });
  });

  test('an execution replies to an event, also to a later reader', async () => {
    const { executionId } = await client.workflows.run('client-answer');
    const event = {
      specversion: '1.0' as const,
      source: 'https://example.org/test',
      id: 'asked-1',
      type: 'org.example.asked',
      data: { n: 21 },
    };
    const replied = await client.executions.signal(executionId, event, { waitForReply: 30 });
    expect(replied).toMatchObject({ eventId: 'asked-1', state: 'replied', reply: { data: { twice: 42 } } });
    expect(await client.executions.signalReply(executionId, 'asked-1')).toMatchObject({ reply: replied.reply });
  });

  test('an experiment compares two versions of an agent; teams and back-tests are read', async () => {
    const { agents } = client;
    const { agent } = await agents.create({ name: 'Compared', slug: 'compared', config: { runtime: 'script' } });
    await agents.putFile(agent.id, 'agent.js', '({ good: input.n === 1 })');
    await agents.putFile(agent.id, 'agent.js', '({ good: true })');
    const version = (await agents.get(agent.id)).agent.latestVersion;
    await agents.examples.put(agent.id, 'one', { input: { n: 0 } });
    await agents.checks.set(agent.id, [{ type: 'exact', at: '/good', value: true }]);
    expect((await agents.checks.get(agent.id)).checks).toHaveLength(1);
    const { id } = await agents.experiments.start(agent.id, {
      name: 'better',
      baseline: { version: Number(version) - 1 },
      candidate: {},
    });
    const ids = (await collect(agents.experiments.iterate(agent.id))).map((one) => one.id);
    expect(ids).toEqual([id]);
    const result = await waitFor('the experiment to end', async () => {
      const found = await agents.experiments.get(agent.id, id);
      return found.open === 0 && found;
    });
    expect(result.rows).toMatchObject([
      { baseline: { evaluation: { passed: false } }, candidate: { evaluation: { passed: true } } },
    ]);
    expect((await agents.usage(agent.id)).total.runs).toBe(2);
    expect(await client.teams.list({ mine: true })).toMatchObject({ data: [], total: 0 });
    const rule = (await client.rules.list()).data[0];
    const tested = await client.rules.backtest(rule?.id ?? '');
    expect(tested.complete).toBe(true);
  });
});

describe('workers', () => {
  const quiet = { onError: () => {} };

  test('process tasks concurrently, keep all digits, and report failures', async () => {
    const { createWorker, TaskFailure } = built.main;
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const worker = createWorker(client, {
      queue: 'client',
      concurrency: 2,
      name: 'client-1',
      handlers: {
        async double({ input, idempotencyKey }) {
          begun += 1;
          if (begun === 2) both.resolve();
          await both.promise;
          const { number } = input as { number: number };
          return { doubled: number * 2, address: 2n ** 63n, key: idempotencyKey };
        },
        refuse() {
          throw new TaskFailure('not a file', { retryable: false, status: 422, type: 'https://example.org/no-file' });
        },
      },
    });
    const ask = (type: string, input: unknown) =>
      client.workflows.executions.runAndWait('client-worker', { queue: 'client', type, input });
    const [one, two, refused] = await Promise.all([
      ask('double', { number: 2 }),
      ask('double', { number: 4 }),
      ask('refuse', 1),
    ]);
    expect(one.result).toMatchObject({ doubled: 4, address: '0x8000000000000000' });
    expect(two.result).toMatchObject({ doubled: 8 });
    expect([refused.status, String(refused.error)]).toEqual(['failed', expect.stringContaining('not a file')]);
    const { data } = await client.workerTasks.queues();
    expect(data.find(({ queue }) => queue === 'client')?.workers).toMatchObject([{ name: 'client-1', leased: 0 }]);
    await worker.stop();
    await worker.finished;
  });

  test('receive the end of a cancelled run with their next heartbeat, and return tasks when they stop', async () => {
    const { createWorker, TaskEnded } = built.main;
    const began = Promise.withResolvers<AbortSignal>();
    const options = { queue: 'client-ends', leaseSeconds: 5, stopSeconds: 0, ...quiet };
    const first = createWorker(client, {
      ...options,
      handlers: {
        wait: (_, { signal }) => {
          began.resolve(signal);
          return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        },
      },
    });
    const input = { queue: 'client-ends', type: 'wait', input: null };
    const cancelled = await client.workflows.run('client-worker', input);
    const signal = await began.promise;
    await client.workflows.executions.cancel(cancelled.executionId);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toMatchObject({ name: 'TaskEnded', reason: 'cancelled' });
    expect(signal.reason).toBeInstanceOf(TaskEnded);
    await first.stop();

    const taken = Promise.withResolvers<void>();
    const stopping = createWorker(client, {
      ...options,
      handlers: {
        wait() {
          taken.resolve();
          return new Promise(() => {});
        },
      },
    });
    const run = client.workflows.executions.runAndWait('client-worker', input);
    await taken.promise;
    await stopping.stop();
    const second = createWorker(client, {
      ...options,
      handlers: { wait: ({ fencingToken, losses }) => [fencingToken, losses] },
    });
    expect((await run).result).toEqual([2, 0]);
    await second.stop();
  });

  test('stop with an error that a retry cannot resolve', async () => {
    const reader = built.main.createClient({ apiKey: served.readerKey, baseUrl: served.url });
    const worker = built.main.createWorker(reader, { queue: 'client', handlers: { double: () => null }, ...quiet });
    await expect(worker.finished).rejects.toBeInstanceOf(built.main.ServiceForbiddenError);
  });
});

describe('secrets', () => {
  test('are set, listed by name, and deleted', async () => {
    await client.secrets.set('client_token', 'a value that is never shown');
    const { data } = await client.secrets.list();
    expect(data.map(({ name }) => name)).toContain('client_token');
    expect(JSON.stringify(data)).not.toContain('is never shown');
    await client.secrets.delete('client_token');
    await expect(client.secrets.delete('client_token')).rejects.toBeInstanceOf(built.main.ServiceNotFoundError);
  });
});

describe('workflows', () => {
  test('are listed, paged, read and released', async () => {
    const page = await client.workflows.list({ search: 'client-', limit: 2 });
    expect(page).toMatchObject({ limit: 2, offset: 0, data: { length: 2 } });
    const all = await collect(client.workflows.iterate({ search: 'client-', limit: 2 }));
    expect(new Set(all.map(({ id }) => id)).size).toBe(page.total);
    const whole = await client.workflows.get('client-double');
    expect(whole).toMatchObject({ name: 'client-double', kind: 'workflow' });
    const again = await client.workflows.push('client-double', whole.yamlContent ?? '');
    expect(again).toMatchObject({ released: false, workflow: { id: whole.id } });
    const [version] = await collect(client.workflows.iterateVersions('client-double'));
    expect(version).toMatchObject({ workflowId: whole.id, isCurrent: true });
    const wrong = client.workflows.push('client-double', 'document: {}');
    await expect(wrong).rejects.toBeInstanceOf(built.main.ServiceValidationError);
  });

  test('are run and waited for', async () => {
    const ended = await client.workflows.executions.runAndWait('client-double', { number: 21 });
    expect(ended).toMatchObject({ status: 'completed', result: { doubled: 42, given: { number: 21 } }, error: null });
    const failed = await client.workflows.executions.runAndWait('client-fail');
    expect(failed.status).toBe('failed');
    expect(failed.error).toContain('Refused on purpose');
    const given = { steps: { double: { doubled: 'given' } } };
    const overridden = await client.workflows.run('client-double', {}, { overrides: given, waitForCompletion: 30 });
    expect(overridden.result).toEqual({ doubled: 'given' });
  });

  test('are cancelled after the time limit', async () => {
    const error = await client.workflows.executions
      .runAndWait('client-wait', {}, { timeoutSeconds: 5 })
      .catch((e) => e);
    expect(error).toBeInstanceOf(built.main.ServiceTimeoutError);
    const cancelled = await client.workflows.executions.cancel(error.executionId);
    expect(cancelled).toMatchObject({ executionId: error.executionId });
    const repeated = await client.workflows.executions.cancel(error.executionId);
    expect(['cancellation-requested', 'already-terminal']).toContain(repeated.status);
  });

  test('have executions that are filtered and read with their steps', async () => {
    const { executionId } = await client.workflows.run('client-double', { number: 1 }, { waitForCompletion: 30 });
    const { executions } = client.workflows;
    const filters = {
      status: ['completed', 'failed'],
      fromDate: 'now()-1h',
      toDate: new Date(Date.now() + 1000),
    } as const;
    expect((await collect(executions.iterate('client-double', filters))).map(({ id }) => id)).toContain(executionId);
    const detailed = await executions.get(executionId, { includeSteps: true });
    expect(detailed).toMatchObject({ id: executionId, executionId, status: 'completed' });
    expect(detailed.steps.map(({ name }) => name)).toEqual(['double']);
    expect(await executions.get(executionId)).not.toHaveProperty('steps');
  });

  test('take files from disk and from memory', async () => {
    const core = path.join(home, 'core.bin');
    const content = randomBytes(3_000_000);
    await writeFile(core, content);
    const input = { number: 3, core: await built.forNode.openFile(core), note: new File(['hello'], 'note.txt') };
    const { status, result } = await client.workflows.executions.runAndWait('client-double', input);
    expect(status).toBe('completed');
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(result).toMatchObject({
      doubled: 6,
      given: { number: 3, core: { filename: 'core.bin', size: 3_000_000, sha256 }, note: { filename: 'note.txt' } },
    });
  });
});

describe('agents', () => {
  let run: RunAgentResponse;
  beforeAll(async () => {
    const { agent } = await client.agents.create({
      name: 'TypeScript',
      slug: 'typescript-own',
      config: { runtime: 'script' },
    });
    await client.agents.putFile(agent.id, 'agent.js', AGENT_SCRIPT, { contentType: 'text/javascript' });
    run = await client.agents.run('typescript-own', { host: 'web-1' }, { waitForCompletion: 60 });
  });

  test('are created, found and changed, with the files of their workspaces', async () => {
    const { agent } = await client.agents.update('typescript-own', { description: 'changed' });
    expect(agent.description).toBe('changed');
    expect((await collect(client.agents.iterate({ search: 'typescript-own' }))).map(({ id }) => id)).toEqual([
      agent.id,
    ]);
    const files = { 'data/größe.txt': 'text', 'data/raw': Uint8Array.of(0, 255), 'data/blob': new Blob(['b']) };
    expect(await client.agents.uploadFiles(agent.id, files)).toMatchObject({ ok: true, files: { length: 3 } });
    expect(JSON.stringify(await client.agents.listFiles(agent.id, { prefix: 'data/' }))).toContain('data/größe.txt');
    const whole = (await client.agents.get(agent.id, { include: ['files', 'dataset'] })).agent;
    expect(whole.files?.map(({ path: name }) => name)).toContain('data/raw');
    expect(whole.dataset).toEqual([]);
  });

  test('are shared and archived', async () => {
    const made = await client.agents.create({ name: 'Archived', slug: 'typescript-archived', visibility: 'shared' });
    expect(made.agent).toMatchObject({ visibility: 'shared', archived: false });
    const { id } = made.agent;
    const changed = await client.agents.update(id, { visibility: 'private', archived: true });
    expect(changed.agent).toMatchObject({ visibility: 'private', archived: true });
    const search = { search: 'typescript-archived' };
    expect(await collect(client.agents.iterate(search))).toEqual([]);
    expect(await collect(client.agents.iterate({ ...search, includeArchived: true }))).toMatchObject([{ id }]);
    expect((await client.agents.update(id, { archived: false })).agent.archived).toBe(false);
  });

  test('are run with scalars and files', async () => {
    expect(run).toMatchObject({ status: 'completed', output: { input: { host: 'web-1' }, files: [] } });
    const ended = await client.agents.run(
      'typescript-own',
      { core: new Blob(['x'.repeat(1000)]) },
      { waitForCompletion: 60 },
    );
    expect(ended).toMatchObject({ status: 'completed', output: { files: [{ size: 1000 }] } });
  });

  test('leave files that are streamed to disk, completely or not at all', async () => {
    const { executions } = client.agents;
    const name = 'report/summary.json';
    const download = await executions.downloadFile(run.executionId, 'output', name);
    expect(download).toMatchObject({ contentType: 'application/octet-stream', filename: 'summary.json' });
    const saved = await built.forNode.saveDownload(download, home);
    expect(saved).toBe(path.join(home, 'summary.json'));
    expect(JSON.parse(await readFile(saved, 'utf8'))).toEqual({ host: 'web-1' });
    const trace = await (await executions.downloadFile(run.executionId, 'trace', 'trace.jsonl')).text();
    expect(
      trace
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).not.toHaveLength(0);
    const before = await readdir(home);
    served.proxy.fail({ cut: true, afterBytes: 5 });
    const broken = await faulty.agents.executions.downloadFile(run.executionId, 'output', name);
    await expect(built.forNode.saveDownload(broken, home)).rejects.toBeInstanceOf(built.main.ServiceConnectionError);
    expect(await readdir(home)).toEqual(before);
  });

  test('take feedback and expected files', async () => {
    const { executions } = client.agents;
    const said = await executions.updateFeedback(run.executionId, {
      body: 'wrong',
      rating: 'fail',
      expected: { host: 'web-9' },
    });
    expect(said).toMatchObject({ feedback: { body: 'wrong', rating: 'fail' }, expected: { host: 'web-9' } });
    const listed = await executions.list('typescript-own', {
      feedbackRating: 'fail',
      hasExpectedJson: true,
      include: ['feedback'],
    });
    expect(listed.executions).toMatchObject([{ id: run.executionId, feedback: { body: 'wrong' } }]);
    await executions.uploadExpected(run.executionId, new File(['{}'], 'x.json'), { name: 'deep/should be.json' });
    const copied = { outputFileName: 'report/summary.json', expectedName: 'copy.json' };
    expect(await executions.copyOutputToExpected(run.executionId, copied)).toEqual({ name: 'copy.json' });
    await executions.renameExpected(run.executionId, 'deep/should be.json', { name: 'flat.json' });
    expect(await (await executions.downloadExpected(run.executionId, 'flat.json')).text()).toBe('{}');
    expect(await executions.deleteExpected(run.executionId, 'copy.json')).toBeUndefined();
    expect((await executions.listExpected(run.executionId)).files).toMatchObject([{ name: 'flat.json' }]);
    expect(await executions.clearFeedback(run.executionId)).toMatchObject({ feedback: null, expectedFiles: [] });
    expect((await executions.getFeedback(run.executionId)).feedback).toBeNull();
  });

  test('are re-run, cancelled and listed', async () => {
    const { executions } = client.agents;
    const again = await executions.rerun(run.executionId);
    expect(again.sourceExecutionId).toBe(run.executionId);
    expect((await executions.cancel(again.executionId)).execution.id).toBe(again.executionId);
    const ended = await executions.get(again.executionId, { include: ['files'], waitForCompletion: 60 });
    expect(ended.execution).toMatchObject({ id: again.executionId, completedAt: expect.any(String) });
    const ids = (await collect(executions.iterate('typescript-own', { limit: 1, sort: 'createdAt' }))).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(expect.arrayContaining([run.executionId, again.executionId]));
  });
});

// Regression: the client types had `type` for detections and `rule`, `severity` and `status` for events, which the
// server rejects.
describe('filters', () => {
  const both = {
    from: new Date(0),
    to: new Date(),
    hostname: 'h',
    procname: 'p',
    file: '/f',
    register: 'ip',
    executable: '/usr/sbin/p',
    unit: 'p.service',
    container: 'c',
    pod: 'u',
    detection: `det_${'0'.repeat(32)}`,
    q: 'nginx',
  };

  const bothExcluded = {
    'exclude.hostname': ['web-1', 'web-2'],
    'exclude.procname': 'p',
    'exclude.file': '/f,g',
    'exclude.register': 'ip',
    'exclude.executable': '/usr/sbin/p',
    'exclude.unit': 'p.service',
    'exclude.container': 'c',
    'exclude.pod': 'u',
  } as const;

  test('of events and detections match those of the server', async () => {
    const events: Required<EventFilters> = {
      ...both,
      ...bothExcluded,
      type: ['LinuxKernelTrap', 'LinuxFatalSignal'],
      'exclude.type': 'ConfigMismatch',
    };
    const detections: Required<DetectionFilters> = {
      ...both,
      ...bothExcluded,
      parent: '/usr/sbin/p',
      rule: 'instruction-pointer-probe',
      campaign: 'null',
      severity: ['high', 'critical'],
      status: 'new',
      verdict: 'null',
      assignee: ['null', 'ann'],
      'exclude.parent': '/usr/sbin/q',
      'exclude.rule': ['fleet-scan', 'host-risk'],
      'exclude.campaign': `det_${'0'.repeat(32)}`,
      'exclude.severity': 'low',
      'exclude.status': 'closed',
      'exclude.verdict': 'benign',
      'exclude.assignee': 'ann',
    };
    expect(Object.keys(events).sort()).toEqual(Object.keys(FILTER_SHAPES.events).sort());
    expect(Object.keys(detections).sort()).toEqual(Object.keys(FILTER_SHAPES.detections).sort());
    expect((await client.events.list(events)).data).toEqual([]);
    expect((await client.detections.list({ ...detections, sort: 'severity', order: 'asc' })).data).toEqual([]);
    expect(await client.detections.groups('procname', { ...detections, limit: 5 })).toMatchObject({
      data: [],
      groups: 0,
    });
    expect(await client.detections.count(detections)).toMatchObject({ detections: 0, asOf: expect.any(String) });
  });

  test('of workflows and their executions are accepted', async () => {
    const workflows: Required<WorkflowFilters> = { search: 'none', name: 'none', kind: 'workflow' };
    expect((await client.workflows.list(workflows)).data).toEqual([]);
    const executions: Required<WorkflowExecutionFilters> = {
      status: ['completed'],
      fromDate: 'now()-1h',
      toDate: new Date(),
      exampleId: 'none',
    };
    expect((await client.workflows.executions.list('client-double', executions)).data).toEqual([]);
  });

  test('of agents and their executions are accepted', async () => {
    const agents: Required<ListAgentsParams> = { search: 'no such agent', includeArchived: true, limit: 1, offset: 0 };
    expect((await client.agents.list(agents)).data).toEqual([]);
    const at = new Date();
    const executions: Required<AgentExecutionFilters> = {
      ...{ status: 'completed', batchId: 'b', exampleName: 'e', exampleNameContains: 'e' },
      ...{ createdAfter: at, createdBefore: at, completedAfter: at, completedBefore: at },
      ...{ feedbackStatus: 'open', feedbackRating: 'none', hasFeedback: false, noFeedback: true },
      ...{ hasExpected: false, hasExpectedJson: false, hasExpectedFiles: false, feedbackBodyContains: 'x' },
      ...{ feedbackCreatedAfter: at, feedbackCreatedBefore: at, feedbackUpdatedAfter: at, feedbackUpdatedBefore: at },
      ...{ feedbackResolvedAfter: at, feedbackResolvedBefore: at, promotedToExample: false, promotedExampleName: 'e' },
      ...{ sinceLastResolved: false, include: ['files'], sort: 'createdAt', order: 'asc', scanLimit: 10 },
    };
    await client.agents.create({ name: 'Filters', slug: 'typescript-filters' });
    expect((await client.agents.executions.list('typescript-filters', executions)).executions).toEqual([]);
  });
});

describe('the detection service', () => {
  test('accepts events with all digits of their addresses, and returns them', async () => {
    const event = {
      version: 'V1',
      timestamp: '2026-03-01T12:00:00Z',
      hostname: 'typescript-host',
      event: {
        ...{ type: 'LinuxKernelTrap', facility: 'Kern', level: 'Info', procname: 'probed', pid: 100 },
        trap: { type: 'Segfault', location: 0n },
        errcode: {
          ...{ access_mode: 'User', access_type: 'Read', instruction_fetch: true, reason: 'NoPageFound' },
          ...{ protection_keys_block_access: false, use_of_reserved_bit: false },
        },
        ...{ ip: 0x7fff_ffff_ffff_ff01n, sp: 18446744073709551615n },
      },
    };
    const outcome = await client.events.submit([event]).catch((error) => error.envelope);
    expect(outcome).toMatchObject({ accepted: 1, rejected: [] });
    const [shown] = await collect(client.events.iterate({ hostname: 'typescript-host' }));
    expect(shown?.hex).toMatchObject({ ip: '0x7fffffffffffff01', sp: '0xffffffffffffffff' });
    expect(await client.detections.list({ hostname: 'typescript-host' })).toMatchObject({ data: [], nextCursor: null });
    const missing = client.detections.update(`det_${'0'.repeat(32)}`, { status: 'closed', verdict: null });
    await expect(missing).rejects.toBeInstanceOf(built.main.ServiceNotFoundError);
    expect((await client.rules.list()).data.length).toBeGreaterThan(3);
  });
});

describe('handles', () => {
  test('wait for the result, follow, and identify the failed run', async () => {
    const double = client.workflows.of<{ number: number }, { doubled: number }>('client-double');
    const run = await double.start({ number: 21 });
    const { doubled } = await run.result();
    expect(doubled).toBe(42);
    expect(await run.get()).toMatchObject({ id: run.executionId, kind: 'workflow', name: 'client-double' });
    expect((await collect(run.follow())).at(-1)).toMatchObject({ status: 'completed' });
    const failed = await client.workflows.start('client-fail');
    const error = (await failed.result().catch((reason: unknown) => reason)) as Error;
    expect(error).toBeInstanceOf(built.main.RunFailedError);
    expect(error).toMatchObject({ runStatus: 'failed', executionId: failed.executionId });
    expect(error.message).toContain('Refused on purpose');
  });

  test('exist for known execution ids, also of agents', async () => {
    const slug = `handled-${randomBytes(4).toString('hex')}`;
    await client.agents.create({ name: 'Handled', slug });
    await client.agents.putFile(slug, 'agent.js', '({ host: input.host })');
    const { executionId } = await client.agents.start(slug, { host: 'web-1' });
    const run = client.executions.run<{ host: string }>(executionId);
    expect((await run.result({ timeoutSeconds: 60 })).host).toBe('web-1');
    expect((await client.executions.list({ agent: slug, from: 'now()-1h' })).data).toMatchObject([{ id: executionId }]);
    await client.agents.delete(slug);
    await expect(client.agents.start(slug)).rejects.toBeInstanceOf(built.main.ServiceValidationError);
    expect((await client.agents.list({ search: slug })).total).toBe(0);
  });

  test('time out while the run continues, and cancel it', async () => {
    const run = await client.workflows.start('client-wait');
    const late = await run.result({ timeoutSeconds: 0 }).catch((reason) => reason);
    expect(late).toBeInstanceOf(built.main.ServiceTimeoutError);
    expect((await run.cancel()).executionId).toBe(run.executionId);
    expect(await run.ended()).toMatchObject({ status: 'cancelled' });
  });

  test('of a batch are in the order of the inputs, and a repeated batch starts nothing twice', async () => {
    const inputs = [1, 2, 3].map((number) => ({ number }));
    const idempotencyKey = randomBytes(8).toString('hex');
    const start = () => client.workflows.startAll('client-double', inputs, {}, { concurrency: 2, idempotencyKey });
    const [first, second] = [await start(), await start()];
    expect(second.map(({ run }) => run?.executionId)).toEqual(first.map(({ run }) => run?.executionId));
    const results = await Promise.all(first.map(({ run }) => run?.result()));
    expect(results).toMatchObject([{ doubled: 2 }, { doubled: 4 }, { doubled: 6 }]);
    const [refused] = await client.workflows.startAll('no-such-workflow', [{}]);
    expect(refused?.error).toBeInstanceOf(built.main.ServiceNotFoundError);
  });
});

describe('detections', () => {
  /** A probe: the instruction pointer moves by one byte from crash to crash. */
  const crash = (index: number) => ({
    version: 'V1',
    timestamp: new Date(Date.UTC(2026, 2, 1, 12, 0, 10 * index)).toISOString(),
    hostname: 'probed-host',
    event: {
      ...{ type: 'LinuxKernelTrap', facility: 'Kern', level: 'Info', procname: 'probed', pid: 100 + index },
      trap: { type: 'Segfault', location: 0n },
      errcode: {
        ...{ access_mode: 'User', access_type: 'Read', instruction_fetch: true, reason: 'NoPageFound' },
        ...{ protection_keys_block_access: false, use_of_reserved_bit: false },
      },
      ...{ ip: 0x7fff_ffff_ffff_f001n + BigInt(index), sp: 18446744073709551615n },
    },
  });

  test('are streamed, decided with their ETag, undone, exported and worked on in a case', async () => {
    const stop = new AbortController();
    const streamed = client.detections.stream({ hostname: ['probed-host'] }, { signal: stop.signal });
    const first = streamed.next();
    await client.events.submit(Array.from({ length: 12 }, (_, index) => crash(index)));
    const { value } = await first;
    if (value?.event !== 'detection') throw new Error('a detection is expected');
    const { id } = value.detection;
    expect(value.detection.rule.id).toBe('instruction-pointer-probe');
    stop.abort();
    await streamed.return().catch(() => {});

    const read = await client.detections.get(id);
    // All digits of an address.
    expect(read.evidence.map(({ event }) => (event.event as { ip: bigint }).ip)).toContain(0x7fff_ffff_ffff_f001n);
    const decided = await client.detections.update(id, { status: 'acknowledged' }, { ifMatch: read.etag });
    expect(decided).toMatchObject({ status: 'acknowledged', etag: expect.any(String) });
    const overtaken = client.detections.update(id, { status: 'closed' }, { ifMatch: read.etag });
    await expect(overtaken).rejects.toBeInstanceOf(built.main.ServicePreconditionError);
    const { results } = await client.detections.updateAll({ detections: [{ id }], change: { note: 'seen' } });
    await client.detections.undo({ detections: [{ id, etag: (results[0] as { etag: string }).etag }] });
    expect((await client.detections.get(id)).note).toBeNull();
    expect((await collect(client.detections.history(id).iterate())).length).toBeGreaterThan(2);
    await client.detections.comments.create(id, 'looks like a probe');
    expect(await collect(client.detections.comments.of(id).iterate())).toMatchObject([{ text: 'looks like a probe' }]);
    const lines = (await (await client.detections.export('ndjson', { detection: id })).text()).trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id });
    const proposal = await client.detections.proposals.create(id, {
      change: { verdict: 'true_positive' },
      reason: 'the addresses move by one byte',
    });
    expect((await client.detections.proposals.list(id, { state: ['open'] })).data).toMatchObject([{ id: proposal.id }]);
    expect(
      (await client.detections.list({ severity: ['high', 'medium', 'critical'], from: '2026-03-01T00:00:00Z' })).data[0]
        ?.id,
    ).toBe(id);

    const opened = await client.cases.create({ title: 'Probe of web-1', severity: 'high', detections: [id] });
    const task = await client.cases.tasks.create(opened.id, { title: 'Isolate the host' });
    await client.cases.tasks.update(opened.id, task.id, { done: true });
    const file = await client.cases.files.add(opened.id, new File(['core'], 'core.txt'));
    expect(await (await client.cases.files.download(opened.id, file.id)).text()).toBe('core');
    const now = await client.cases.get(opened.id);
    expect(now).toMatchObject({ detectionIds: [id], tasksDone: 1, files: [{ id: file.id }] });
    await client.cases.update(opened.id, { status: 'in_progress' }, { ifMatch: now.etag });
    await expect(client.cases.update(opened.id, { title: 'x' }, { ifMatch: now.etag })).rejects.toThrow('412');
    expect(await (await client.cases.report(opened.id)).text()).toContain('Probe of web-1');
    expect((await collect(client.cases.iterate({ severity: ['high', 'low'] }))).map((one) => one.id)).toContain(
      opened.id,
    );
  });

  test('are silenced by exceptions, and sent by outputs', async () => {
    const made = await client.exceptions.create({ hostname: 'lab-1', reason: 'a test host' });
    expect((await collect(client.exceptions.iterate())).map(({ id }) => id)).toContain(made.id);
    await client.exceptions.delete(made.id);
    const kinds = await client.outputs.kinds();
    expect(kinds.data.map(({ type }) => type)).toContain('webhook');
    expect((await client.outputs.list()).data).toEqual([]);
    expect((await client.approvals.count()).count).toBe(0);
    expect(await collect(client.hosts.iterate())).toEqual(expect.arrayContaining([expect.objectContaining({})]));
    expect((await client.detectors.list()).data).toEqual([]);
    expect((await client.deadLetters.list({ status: ['open'] })).data).toEqual([]);
  });
});
