import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import { MAX_LOSSES } from '#api/executions/worker-tasks/lease.ts';
import { createStoredDefinitions } from '#api/workflows/definitions/stored-definitions.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { type Call, runWorkflowApp, type WorkflowApp, yamlOf } from '../../workflows/routes/workflow-app.ts';
import { createEngineFixture, type EngineFixture } from '../engine/engine-fixture.ts';

/** Two servers and an engine worker on one database. External workers poll one server and send results to the other. */
let app: WorkflowApp;
let second: WorkflowApp;
let engine: EngineFixture;
let end: () => Promise<void>;
beforeAll(async () => {
  const { url } = await usePostgres();
  [app, second] = [await runWorkflowApp(url), await runWorkflowApp(url)];
  engine = createEngineFixture(app.database, url);
  const expressions = createExpressions({ threads: 1 });
  const { definitionOf } = createStoredDefinitions({ database: app.database });
  engine.work({}, { definitions: definitionOf, interpreter: createInterpreter({ evaluate: expressions.evaluate }) });
  end = async () => {
    await engine.stopAll();
    await expressions.close();
    await Promise.all([app.end(), second.end()]);
  };
});
afterAll(() => end());

interface Task {
  readonly id: string;
  readonly fencingToken: number;
  readonly input: unknown;
  readonly [name: string]: unknown;
}
type Person = Awaited<ReturnType<WorkflowApp['user']>>;

const work = (queue: string, more: object = {}) => ({
  call: 'trapline.worker',
  with: { queue, type: 'detonate', input: { sample: '${ .sample }' } },
  ...more,
});
async function release(person: Person, slug: string, tasks: Record<string, unknown>): Promise<void> {
  const released = await person.call('PUT', `/api/v1/workflows/${slug}`, { yamlContent: yamlOf(tasks, {}, slug) });
  expect(released.status, released.text).toBe(200);
}
async function run(call: Call, slug: string, input: unknown = { sample: 'a.bin' }): Promise<string> {
  const { body, text } = await call('POST', `/api/v1/workflows/${slug}/run`, { input });
  expect(text).toContain('executionId');
  return (body as { executionId: string }).executionId;
}
/** Starts a dry run of these tasks on the records of an execution and resolves to its id. */
async function dryRun(call: Call, slug: string, tasks: Record<string, unknown>, executionId: string): Promise<string> {
  const body = { yamlContent: yamlOf(tasks, {}, slug), executionId };
  const accepted = await call('POST', `/api/v1/workflows/${slug}/dry-run`, body);
  expect(accepted.status, accepted.text).toBe(201);
  return (accepted.body as { executionId: string }).executionId;
}
async function poll(call: Call, queue: string, more: object = {}): Promise<Task[]> {
  const answer = await call('POST', '/api/worker-tasks/poll', { queue, waitSeconds: 60, ...more });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { tasks: Task[] }).tasks;
}
async function pollOne(call: Call, queue: string, more: object = {}): Promise<Task> {
  const [task] = await poll(call, queue, more);
  if (task === undefined) throw new Error('no task came');
  return task;
}
const answer = (call: Call, task: Task, what: string, body: object = {}) =>
  call('POST', `/api/worker-tasks/${task.id}/${what}`, { fencingToken: task.fencingToken, ...body });
/** Expires the lease now. */
const expire = (id: string) =>
  sql`UPDATE worker_tasks SET lease_until = now() - interval '1 second' WHERE id = ${id} AND status = 'leased'`.execute(
    app.database,
  );

test('two workers share the tasks of a queue, and the runs continue with their outputs, all digits kept', async () => {
  const ann = await app.user();
  await release(ann, 'two-tasks', {
    first: work('two'),
    second: work('two', { output: { as: '${ {first: $input, got: .} }' } }),
  });
  // The poll waits on one server before the other server accepts the run.
  const waiting = pollOne(second.callWith(ann.apiKey), 'two', { worker: 'box-1' });
  const id = await run(ann.call, 'two-tasks');
  const first = await waiting;
  expect(first).toMatchObject({
    queue: 'two',
    type: 'detonate',
    name: 'first',
    input: { sample: 'a.bin' },
    fencingToken: 1,
    losses: 0,
    attempt: 1,
    executionId: id,
    deadline: null,
    idempotencyKey: `${id}:/do/0/first`,
  });
  const listed = (await ann.call('GET', '/api/worker-queues')).body as { data: unknown[] };
  expect(listed.data).toEqual([
    expect.objectContaining({ queue: 'two', account: ann.user.username, waiting: 0, leased: 1, oldestSeconds: null }),
  ]);
  const done = await ann.call(
    'POST',
    `/api/worker-tasks/${first.id}/complete`,
    '{"fencingToken":1,"output":{"sample":"b.bin","address":18446744073709551615}}',
    {
      'content-type': 'application/json',
    },
  );
  expect([done.status, done.body]).toEqual([200, { state: 'completed' }]);
  // The response was lost, so the worker sends the result again.
  expect((await answer(ann.call, first, 'complete', { output: {} })).status).toBe(200);
  const next = await pollOne(ann.call, 'two', { worker: 'box-2', types: ['detonate'] });
  expect(next).toMatchObject({ name: 'second', input: { sample: 'b.bin' } });
  await answer(ann.call, next, 'complete', { output: 'clean' });
  expect((await engine.until(id, 'completed')).result).toEqual({
    first: { sample: 'b.bin', address: '0xffffffffffffffff' },
    got: 'clean',
  });
  // A dry run uses the recorded outputs: no task is queued.
  const dry = await dryRun(ann.call, 'two-tasks', { first: work('two'), second: work('two') }, id);
  expect((await engine.until(dry, 'completed')).result).toEqual({
    first: { sample: 'b.bin', address: '0xffffffffffffffff' },
    got: 'clean',
  });
  expect(await poll(ann.call, 'two', { waitSeconds: 0 })).toEqual([]);
});

test('an expired lease gives the task to another worker, and the late result is rejected', async () => {
  const ann = await app.user();
  await release(ann, 'expires', { one: work('expires') });
  const id = await run(ann.call, 'expires');
  const lost = await pollOne(ann.call, 'expires', { worker: 'box-1', leaseSeconds: 3_600 });
  const waiting = pollOne(second.callWith(ann.apiKey), 'expires', { worker: 'box-2' });
  await expire(lost.id);
  const late = await answer(ann.call, lost, 'complete', { output: 'late' });
  expect(late.status).toBe(409);
  const again = await waiting;
  expect(again).toMatchObject({ id: lost.id, fencingToken: 2, losses: 1, idempotencyKey: lost.idempotencyKey });
  const later = await answer(ann.call, lost, 'complete', { output: 'late' });
  expect([later.status, later.text]).toEqual([409, expect.stringContaining('leased again with token 2')]);
  expect((await answer(ann.call, again, 'extend')).body).toMatchObject({ state: 'leased' });
  await answer(ann.call, again, 'complete', { output: 'in time' });
  expect((await engine.until(id, 'completed')).result).toBe('in time');
});

test('a cancelled run is reported at the next heartbeat, and its result is rejected', async () => {
  const ann = await app.user();
  await release(ann, 'cancels', { one: work('cancels') });
  const id = await run(ann.call, 'cancels');
  const task = await pollOne(ann.call, 'cancels');
  await ann.call('POST', `/api/v1/workflows/executions/${id}/cancel`);
  expect((await answer(ann.call, task, 'extend')).body).toEqual({ state: 'cancelled', leaseUntil: null });
  expect((await answer(ann.call, task, 'complete', { output: 1 })).status).toBe(409);
  await engine.until(id, 'cancelled');
});

test('the time-out of the task ends it, the worker has its deadline, and a dry run does not wait for it', async () => {
  const ann = await app.user();
  const limited = (after: object) => ({ one: work('times-out', { timeout: { after } }) });
  await release(ann, 'times-out', limited({ milliseconds: 1500 }));
  const id = await run(ann.call, 'times-out');
  const task = await pollOne(ann.call, 'times-out');
  expect(Date.parse(String(task.deadline))).toBeGreaterThan(0);
  await engine.until(id, 'failed');
  expect((await answer(ann.call, task, 'extend')).body).toEqual({ state: 'cancelled', leaseUntil: null });
  const dry = await dryRun(ann.call, 'times-out', limited({ hours: 1 }), id);
  expect((await engine.until(dry, 'failed')).error).toMatchObject({ status: 408 });
});

test('`retry` of the workflow repeats a failed task with the same key, unless the failure is permanent', async () => {
  const ann = await app.user();
  const retry = { delay: { milliseconds: 1 }, limit: { attempt: { count: 3 } } };
  const attempts = (queue: string) => ({
    attempts: {
      try: [{ one: work(queue) }],
      catch: {
        as: 'error',
        retry,
        do: [{ caught: { set: { detail: '${ $error.detail }', retryable: '${ $error.retryable }' } } }],
      },
    },
  });
  await release(ann, 'retries', attempts('retries'));
  const id = await run(ann.call, 'retries');
  const first = await pollOne(ann.call, 'retries');
  await answer(ann.call, first, 'fail', { message: 'no machine' });
  const repeated = await pollOne(ann.call, 'retries');
  expect(repeated).toMatchObject({ attempt: 2, fencingToken: 1, idempotencyKey: first.idempotencyKey });
  await answer(ann.call, repeated, 'fail', { message: 'not a file', retryable: false });
  expect((await engine.until(id, 'completed')).result).toEqual({ detail: 'not a file', retryable: false });
});

test('a released task is leased again immediately, and one that loses every worker fails', async () => {
  const ann = await app.user();
  await release(ann, 'loses', { one: work('loses') });
  const id = await run(ann.call, 'loses');
  const released = await pollOne(ann.call, 'loses');
  expect((await answer(ann.call, released, 'release')).body).toEqual({ state: 'waiting' });
  const task = await pollOne(ann.call, 'loses');
  expect(task).toMatchObject({ fencingToken: 2, losses: 0 });
  await sql`UPDATE worker_tasks SET losses = ${MAX_LOSSES - 1} WHERE id = ${task.id}`.execute(app.database);
  await expire(task.id);
  expect((await engine.until(id, 'failed')).error).toMatchObject({ title: 'Workers lost' });
  expect((await answer(ann.call, task, 'complete')).status).toBe(409);
});

test('workers receive only tasks of workflows that their account owns or may edit', async () => {
  const [ann, bob, boss] = [await app.user(), await app.user(), await app.user('admin')];
  await release(ann, 'tenants', { one: work('tenants') });
  await run(ann.call, 'tenants');
  await waitFor('the task', async () => {
    const { data } = (await ann.call('GET', '/api/worker-queues')).body as { data: { waiting: number }[] };
    return data[0]?.waiting === 1;
  });
  const now = { waitSeconds: 0 };
  expect(await poll(bob.call, 'tenants', now)).toEqual([]);
  expect(await poll(boss.call, 'tenants', now)).toEqual([]);
  expect((await bob.call('GET', '/api/worker-queues')).body).toMatchObject({
    data: [{ queue: 'tenants', waiting: 0 }],
  });
  const granted = await ann.call('POST', '/api/v1/workflows/tenants/grants', {
    user: bob.user.username,
    permission: 'edit',
  });
  expect(granted.status, granted.text).toBeLessThan(300);
  const [task] = await poll(bob.call, 'tenants', now);
  if (task === undefined) throw new Error('no task for an editor');
  const stranger = await app.user();
  expect((await answer(stranger.call, task, 'complete')).status).toBe(404);
  const reader = await app.user('user', ['workflows:read']);
  expect((await reader.call('POST', '/api/worker-tasks/poll', { queue: 'tenants' })).status).toBe(403);
  expect((await answer(bob.call, task, 'complete')).status).toBe(200);
});

test('rejects a release with a call that no worker can receive', async () => {
  const ann = await app.user();
  const refused = await ann.call('PUT', '/api/v1/workflows/refused', {
    yamlContent: yamlOf({ one: { call: 'trapline.worker', with: { queue: 'a queue' } } }, {}, 'refused'),
  });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('needs `queue` and `type`')]);
});
