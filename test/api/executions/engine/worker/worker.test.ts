import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Interpreter } from '#api/executions/engine/contract/port.ts';
import { TaskFailure } from '#api/executions/engine/contract/task-failure.ts';
import { LeaseLost } from '#api/leases/port.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { ThreadsBusyError } from '#api/threads/bounded-threads.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import {
  createEngineFixture,
  type EngineFixture,
  event,
  interpreter,
  listenTo,
  OTHER_OWNER,
  runChild,
  script,
  wait,
  workflow,
} from '../engine-fixture.ts';

let database: Database;
let url: string;
let engine: EngineFixture;
beforeAll(async () => {
  const postgres = await usePostgres();
  ({ database, url } = postgres);
  engine = createEngineFixture(database, postgres.url);
});
afterEach(() => engine.clear());

const steps = (id: string) =>
  database.selectFrom('executionSteps').selectAll().where('executionId', '=', id).orderBy('began').execute();
const changesOf = (id: string) =>
  database.selectFrom('executionChanges').selectAll().where('executionId', '=', id).orderBy('seq').execute();
const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

test('a run executes its steps once in order, with every step and status in the trace', async () => {
  engine.definitions.set('three', workflow({ a: script('a'), b: script('b'), c: script('c') }));
  engine.work();
  const id = await engine.run('three', { input: { host: 'web-1' } });
  const done = await engine.until(id, 'completed');
  expect(done).toMatchObject({
    result: 'c',
    error: null,
    state: null,
    leaseUntil: null,
    losses: 0,
    triggerInput: { host: 'web-1' },
  });
  expect(done.startedAt?.getTime()).toBeLessThanOrEqual(done.completedAt?.getTime() ?? 0);
  expect(engine.begun.map(({ code }) => code)).toEqual(['a', 'b', 'c']);
  expect((await steps(id)).map(({ name, status, output }) => [name, status, output])).toEqual([
    ['a', 'completed', 'a'],
    ['b', 'completed', 'b'],
    ['c', 'completed', 'c'],
  ]);
  expect((await changesOf(id)).map(({ toStatus }) => toStatus)).toEqual(['pending', 'running', 'completed']);
});

test('a failing step fails the run with its message', async () => {
  engine.definitions.set('fails', workflow({ a: script('bad') }));
  const error = { type: 'https://example.org/no', status: 418, title: 'No', detail: 'never' };
  engine.tasks.set('bad', () => Promise.reject(new TaskFailure(error)));
  engine.work();
  const failed = await engine.until(await engine.run('fails'), 'failed');
  expect(failed.error).toMatchObject(error);
  expect(failed.result).toBe(null);
});

test('a permanent error of the interpreter fails the run immediately, and a busy one does not', async () => {
  let calls = 0;
  const asks = (error: Error): Interpreter => ({
    ...interpreter,
    start(...given) {
      calls += 1;
      return calls % 3 === 0 ? interpreter.start(...given) : Promise.reject(error);
    },
  });
  engine.definitions.set('asks', workflow({ a: script('a') }));
  engine.work({}, { interpreter: asks(new ThreadsBusyError('too many requests are waiting')) });
  await engine.until(await engine.run('asks'), 'completed');
  expect(calls).toBe(3);
  await engine.stopAll();
  engine.work({}, { interpreter: asks(new TypeError('a.toString is not a function')) });
  const failed = await engine.until(await engine.run('asks'), 'failed');
  expect(failed.error).toMatchObject({ title: 'Engine failure' });
  expect(calls).toBe(4);
});

test('a run that continues without waiting writes its steps before there are many', async () => {
  const raising = { raise: { error: { type: 'https://example.org/no', status: 500 } } };
  const retry = { delay: { milliseconds: 0 }, limit: { attempt: { count: 20_000 } } };
  engine.definitions.set('retries', workflow({ a: { try: [{ b: raising }], catch: { retry } } }));
  let produced = 0;
  let maxUnwritten = 0;
  engine.work(
    {},
    {
      interpreter: {
        ...interpreter,
        async advance(definition, context, state, event) {
          const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM execution_steps
            WHERE execution_id = ${context.executionId}`.execute(database);
          maxUnwritten = Math.max(maxUnwritten, produced - (rows[0]?.count ?? 0));
          const advance = await interpreter.advance(definition, context, state, event);
          produced += new Set(advance.steps.map(({ step, attempt }) => `${attempt} ${step}`)).size;
          return advance;
        },
      },
    },
  );
  await engine.until(await engine.run('retries'), 'failed');
  expect(produced).toBeGreaterThan(10_000);
  expect(maxUnwritten).toBeLessThan(2_000);
});

test('a missing version rejects the run', async () => {
  engine.work();
  expect((await engine.until(await engine.run('unknown'), 'rejected')).error).toMatchObject({ title: 'No definition' });
});

test('a wait keeps no lease, and the run continues at its time', async () => {
  engine.definitions.set('waits long', workflow({ a: script('a'), pause: wait(3_600_000), b: script('b') }));
  engine.definitions.set('waits', workflow({ a: script('a'), pause: wait(700), b: script('b') }));
  // It does not poll by itself: only the time of a wait wakes it.
  const worker = engine.work({ pollMs: 3_600_000 });
  const parked = await engine.until(await engine.run('waits long'), 'waiting');
  expect(parked).toMatchObject({ leaseUntil: null, worker: expect.any(String) });
  await waitFor('the worker to have let it go', () => worker.held() === 0);
  const id = await engine.run('waits');
  const done = await engine.until(id, 'completed');
  const changes = await changesOf(id);
  expect(changes.map(({ toStatus }) => toStatus)).toContain('waiting');
  const ms = (done.completedAt?.getTime() ?? 0) - (done.startedAt?.getTime() ?? 0);
  expect(ms).toBeGreaterThanOrEqual(700);
});

test('a run waits for an event, and takes one that arrived before it waited', async () => {
  engine.definitions.set('listens', workflow({ a: script('slow'), approval: listenTo('approved'), b: script('b') }));
  const go = Promise.withResolvers<void>();
  engine.tasks.set('slow', async () => {
    await go.promise;
    return 'slow';
  });
  engine.work();
  const first = await engine.run('listens');
  const second = await engine.run('listens');
  await waitFor('both to be at work', () => engine.begun.length === 2);
  expect(await engine.executions.publish(event('1', 'approved', 'early'))).toBe(true);
  expect(await engine.executions.publish(event('1', 'approved', 'again'))).toBe(false);
  go.resolve();
  for (const id of [first, second]) await engine.until(id, 'completed');
  const third = await engine.run('listens');
  await engine.until(third, 'waiting');
  await engine.executions.publish(event('2', 'approved'));
  await engine.until(third, 'completed');
  expect(await database.selectFrom('executionWaits').selectAll().execute()).toEqual([]);
});

test('events of an owner reach only the executions of that owner', async () => {
  engine.definitions.set('listens', workflow({ approval: listenTo('approved') }));
  engine.work();
  const [mine, other] = [await engine.run('listens'), await engine.run('listens', { ownerId: OTHER_OWNER })];
  for (const id of [mine, other]) await engine.until(id, 'waiting');
  await engine.executions.publish(event('3', 'approved'), OTHER_OWNER);
  await engine.until(other, 'completed');
  expect((await engine.row(mine)).status).toBe('waiting');
});

test('cancelling a running execution aborts its task, and a later completion changes nothing', async () => {
  engine.definitions.set('hangs', workflow({ a: script('hang'), b: script('b') }));
  const aborted = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  engine.tasks.set('hang', async (_, { signal }) => {
    begun.resolve();
    await never(signal).catch(() => aborted.resolve());
    return 'done all the same';
  });
  engine.work();
  const id = await engine.run('hangs');
  await begun.promise;
  await waitFor('the step to be in the trace', async () => (await steps(id)).length === 1);
  expect(await engine.executions.cancel(id)).toEqual({
    executionId: id,
    status: 'cancellation-requested',
    wasStatus: 'running',
  });
  await aborted.promise;
  const ended = await engine.until(id, 'cancelled');
  expect(ended).toMatchObject({ result: null, leaseUntil: null });
  expect((await steps(id)).map(({ status }) => status)).toEqual(['cancelled']);
  expect(await engine.executions.cancel(id)).toEqual({
    executionId: id,
    status: 'already-terminal',
    wasStatus: 'cancelled',
  });
  expect(engine.begun.map(({ code }) => code)).toEqual(['hang']);
});

test('cancels a pending execution immediately and a waiting one soon; an unknown one is not found', async () => {
  engine.definitions.set('listens', workflow({ approval: listenTo('never') }));
  const pending = await engine.run('listens');
  expect(await engine.executions.cancel(pending)).toMatchObject({ status: 'cancelled', wasStatus: 'pending' });
  expect((await engine.row(pending)).status).toBe('cancelled');
  engine.work();
  const waiting = await engine.run('listens');
  await engine.until(waiting, 'waiting');
  expect(await engine.executions.cancel(waiting)).toMatchObject({
    status: 'cancellation-requested',
    wasStatus: 'waiting',
  });
  await engine.until(waiting, 'cancelled');
  expect(await engine.executions.cancel('exec_none')).toBe(undefined);
});

test('a workflow runs another and continues with its result or its error', async () => {
  engine.definitions.set('child', workflow({ work: script('child work') }));
  engine.definitions.set('parent', workflow({ sub: runChild('child', { from: 'parent' }) }));
  engine.definitions.set('bad', workflow({ work: script('bad') }));
  engine.definitions.set('parent of bad', workflow({ sub: runChild('bad') }));
  engine.tasks.set('bad', () => Promise.reject(new Error('the disk is full')));
  engine.work();
  const parent = await engine.run('parent');
  expect((await engine.until(parent, 'completed')).result).toBe('child work');
  const child = await database
    .selectFrom('executions')
    .selectAll()
    .where('parentId', '=', parent)
    .executeTakeFirstOrThrow();
  expect(child).toMatchObject({
    rootId: parent,
    depth: 1,
    triggerType: 'workflow',
    triggerInput: { from: 'parent' },
    parentTold: true,
  });
  const failed = await engine.until(await engine.run('parent of bad'), 'failed');
  expect(failed.error).toMatchObject({ detail: 'Error: the disk is full' });
});

test('ends the executions of a disabled account: waiting ones when they continue, running ones soon', async () => {
  const { id: ownerId } = await database
    .insertInto('users')
    .values({ username: 'leaver', email: 'leaver@example.org', role: 'admin' })
    .returning('id')
    .executeTakeFirstOrThrow();
  engine.definitions.set('waits', workflow({ heard: listenTo('go'), act: script('act') }));
  engine.definitions.set('runs', workflow({ loop: script('loop') }));
  engine.tasks.set('loop', (_, { signal }) => never(signal));
  engine.work();
  const [waits, runs] = [await engine.run('waits', { ownerId }), await engine.run('runs', { ownerId })];
  await engine.until(waits, 'waiting');
  await waitFor('the loop to begin', () => engine.begun.length === 1);
  await database.updateTable('users').set({ disabled: true }).where('id', '=', ownerId).execute();
  await engine.executions.signal(waits, event('1', 'go'));
  const ended = await engine.until(waits, 'failed');
  expect(JSON.stringify(ended.error)).toContain('was disabled');
  expect(await database.selectFrom('executionWaits').selectAll().where('executionId', '=', waits).execute()).toEqual(
    [],
  );
  await engine.until(runs, 'cancelled');
  expect(engine.begun.map(({ code }) => code)).toEqual(['loop']);
  await database.deleteFrom('users').where('id', '=', ownerId).execute();
});

test('cancelling a parent cancels the child it waits for', async () => {
  engine.definitions.set('hanging child', workflow({ work: script('hang') }));
  engine.definitions.set('parent', workflow({ sub: runChild('hanging child') }));
  engine.tasks.set('hang', (_, { signal }) => never(signal));
  engine.work();
  const parent = await engine.run('parent');
  await waitFor('the child to run', () => engine.begun.length === 1);
  await engine.until(parent, 'waiting');
  await engine.executions.cancel(parent);
  await engine.until(parent, 'cancelled');
  const child = await database
    .selectFrom('executions')
    .select('id')
    .where('parentId', '=', parent)
    .executeTakeFirstOrThrow();
  await engine.until(child.id, 'cancelled');
});

test('runs one execution per concurrency key at a time', async () => {
  engine.definitions.set('keyed', workflow({ a: script('keyed') }));
  let running = 0;
  let most = 0;
  engine.tasks.set('keyed', async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return null;
  });
  engine.work();
  engine.work();
  const ids = await Promise.all(
    Array.from({ length: 12 }, () => engine.run('keyed', { concurrencyKey: 'host:web-1' })),
  );
  await Promise.all(ids.map((id) => engine.until(id, 'completed')));
  expect(most).toBe(1);
});

test('a worker that stops releases its leases, and another continues with the same key', async () => {
  engine.definitions.set('two', workflow({ a: script('a'), b: script('once stuck') }));
  let stuck = true;
  engine.tasks.set('once stuck', (_, { signal }) => (stuck ? never(signal) : Promise.resolve('free')));
  const first = engine.work();
  const id = await engine.run('two');
  await waitFor('the second step to run', () => engine.begun.length === 2);
  await first.stop();
  expect(await engine.row(id)).toMatchObject({ status: 'pending', losses: 0 });
  stuck = false;
  engine.work();
  await engine.until(id, 'completed');
  expect(engine.begun.map(({ code }) => code)).toEqual(['a', 'once stuck', 'once stuck']);
  expect(engine.begun[1]?.idempotencyKey).toBe(engine.begun[2]?.idempotencyKey);
});

test('a step with external effects has its row before its task begins, a script soon after', async () => {
  const http = { call: 'http', with: { method: 'get', endpoint: 'https://example.org' } };
  engine.definitions.set('rows', workflow({ a: script('a'), b: http, c: { do: [{ d: script('d') }] } }));
  const seen: string[][] = [];
  const note = async (executionId: string) => {
    seen.push((await steps(executionId)).map(({ name, status }) => `${name} ${status}`));
  };
  // The code of a task that is not a script.
  engine.tasks.set('', (_, { executionId }) => note(executionId).then(() => null));
  engine.tasks.set('d', async (_, { executionId }) => {
    await note(executionId);
    await waitFor('the rows', async () => (await steps(executionId)).length === 4);
    await note(executionId);
    return null;
  });
  engine.work();
  await engine.until(await engine.run('rows'), 'completed');
  expect(seen).toEqual([
    ['a completed', 'b running'],
    ['a completed', 'b completed'],
    ['a completed', 'b completed', 'c running', 'd running'],
  ]);
});

test('a worker that continues after another died writes the steps in progress that the other had not written', async () => {
  engine.definitions.set('dies', workflow({ a: { do: [{ b: script('stuck') }] } }));
  engine.tasks.set('stuck', (_, { signal }) => never(signal));
  const first = engine.work();
  const id = await engine.run('dies');
  await waitFor('the task to begin', () => engine.begun.length === 1);
  await first.stop();
  const written = await steps(id);
  expect(written.map(({ name, status }) => [name, status])).toEqual([
    ['a', 'running'],
    ['b', 'running'],
  ]);
  await database.deleteFrom('executionSteps').where('executionId', '=', id).execute();
  await database.updateTable('executions').set({ losses: 1 }).where('id', '=', id).execute();
  engine.work();
  await waitFor('the rows', async () => (await steps(id)).length === 2);
  expect(await steps(id)).toMatchObject(written.map(({ name, status, startedAt }) => ({ name, status, startedAt })));
});

test('an idempotency key returns the same execution again, and rejects another body', async () => {
  engine.definitions.set('one', workflow({ a: script('a') }));
  const idempotency = { caller: 'key:1', key: 'k', body: { input: 1 } };
  const all = await Promise.all(Array.from({ length: 8 }, () => engine.run('one', { idempotency })));
  expect(new Set(all).size).toBe(1);
  const other = {
    kind: 'workflow',
    workflowId: 'wf_one',
    versionId: 'one',
    ownerId: null,
    triggerType: 'api',
  } as const;
  expect(await engine.executions.accept({ ...other, idempotency: { ...idempotency, body: { input: 2 } } })).toEqual({
    outcome: 'conflict',
  });
  expect(await database.selectFrom('executions').selectAll().execute()).toHaveLength(1);
});

test('a cause starts one execution', async () => {
  engine.definitions.set('one', workflow({ a: script('a') }));
  const all = await Promise.all(Array.from({ length: 5 }, () => engine.run('one', { cause: 'schedule:1:noon' })));
  expect(new Set(all).size).toBe(1);
});

test('a run whose lease has expired is aborted while PostgreSQL does not answer the renewal', async () => {
  const patient = createDatabase({ url, statementTimeoutMs: 600_000 });
  const locker = new Client({ connectionString: url });
  await locker.connect();
  const began = Promise.withResolvers<AbortSignal>();
  engine.definitions.set('hangs', workflow({ a: script('hang') }));
  engine.tasks.set('hang', (_, { signal }) => {
    began.resolve(signal);
    return never(signal);
  });
  engine.work({ leaseMs: 2_000, renewMs: 100 }, { database: patient });
  await engine.run('hangs');
  const signal = await began.promise;
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE executions IN ACCESS EXCLUSIVE MODE');
  try {
    await waitFor('the run to be aborted', () => signal.aborted);
  } finally {
    await locker.end(); // releases the lock
  }
  expect(signal.reason).toBeInstanceOf(LeaseLost);
  await engine.stopAll();
  await patient.destroy();
});
