import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { reclaimExpiredExecutions } from '#api/executions/store/leases.ts';
import type { Database } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import {
  createEngineFixture,
  type EngineFixture,
  event,
  listenTo,
  runChild,
  script,
  wait,
  workflow,
} from './engine-fixture.ts';

let database: Database;
let engine: EngineFixture;
beforeAll(async () => {
  const postgres = await usePostgres();
  ({ database } = postgres);
  engine = createEngineFixture(database, postgres.url);
});
afterEach(() => engine.clear());

const NOTHING = async () => {};
const suspend = (id: string) => engine.executions.suspend(id, NOTHING);
const resume = (id: string) => engine.executions.resume(id, NOTHING);
const suspended = (id: string) =>
  waitFor(`${id} to be suspended`, async () => {
    const row = await engine.row(id);
    return row.suspendedAt !== null && row;
  });
/**
 * Suspends a running execution and waits until its worker has renewed the lease, because then the worker knows about
 * it.
 */
async function suspendRunning(id: string) {
  const { leaseUntil } = await engine.row(id);
  const answer = await suspend(id);
  await waitFor(
    'the lease to be renewed',
    async () => (await engine.row(id)).leaseUntil?.getTime() !== leaseUntil?.getTime(),
  );
  await engine.row(id);
  return answer;
}
const codes = () => engine.begun.map(({ code }) => code);

/** A task that ends when the test decides. */
function gate(code: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  engine.tasks.set(code, async () => {
    await promise;
    return code;
  });
  return resolve;
}

const began = (code: string) => waitFor(`${code} to begin`, () => codes().includes(code));

test('a suspended run lets its task end, starts no other, and continues when resumed', async () => {
  engine.definitions.set('two', workflow({ a: script('a'), b: script('b') }));
  const open = gate('a');
  engine.work();
  const id = await engine.run('two');
  await began('a');
  expect(await suspendRunning(id)).toEqual({ executionId: id, status: 'suspension-requested', wasStatus: 'running' });
  expect(await suspend(id)).toMatchObject({ status: 'suspension-requested' });
  open();
  expect(await suspended(id)).toMatchObject({ status: 'waiting', leaseUntil: null, wakeAt: null });
  expect(codes()).toEqual(['a']);
  const steps = await database.selectFrom('executionSteps').selectAll().where('executionId', '=', id).execute();
  expect(steps.map(({ name, status, output }) => [name, status, output])).toEqual([['a', 'completed', 'a']]);
  expect(await suspend(id)).toMatchObject({ status: 'already-suspended', wasStatus: 'waiting' });
  expect(await resume(id)).toEqual({ executionId: id, status: 'resumed', wasStatus: 'waiting' });
  expect(await engine.until(id, 'completed')).toMatchObject({
    result: 'b',
    suspendedAt: null,
    suspendRequestedAt: null,
  });
  expect(codes()).toEqual(['a', 'b']);
  expect(await suspend(id)).toMatchObject({ status: 'already-terminal', wasStatus: 'completed' });
  expect(await resume(id)).toMatchObject({ status: 'already-terminal' });
  expect(await suspend('exec_none')).toBeUndefined();
  expect(await resume('exec_none')).toBeUndefined();
});

test('a suspension cancelled before it took effect changes nothing', async () => {
  engine.definitions.set('two', workflow({ a: script('a'), b: script('b') }));
  const open = gate('a');
  engine.work();
  const id = await engine.run('two');
  await began('a');
  await suspend(id);
  expect(await resume(id)).toMatchObject({ status: 'resumed', wasStatus: 'running' });
  expect(await resume(id)).toMatchObject({ status: 'not-suspended' });
  open();
  expect(await engine.until(id, 'completed')).toMatchObject({ result: 'b' });
  expect(codes()).toEqual(['a', 'b']);
});

test('running branches end and none start; the last step of a run ends it', async () => {
  const branches = {
    fork: { branches: [{ a: script('a') }, { b: { do: [{ c: script('c') }, { d: script('d') }] } }] },
  };
  engine.definitions.set('fork', workflow({ both: branches }));
  engine.definitions.set('one', workflow({ e: script('e') }));
  const [openA, openC, openE] = ['a', 'c', 'e'].map(gate) as [() => void, () => void, () => void];
  engine.work();
  const [id, last] = [await engine.run('fork'), await engine.run('one')];
  for (const code of ['a', 'c', 'e']) await began(code);
  await suspendRunning(id);
  await suspendRunning(last);
  openC();
  openE();
  expect(await engine.until(last, 'completed')).toMatchObject({ result: 'e' });
  await waitFor('the branch to be written', async () =>
    (await database.selectFrom('executionSteps').select('status').where('executionId', '=', id).execute()).some(
      ({ status }) => status === 'completed',
    ),
  );
  expect(await engine.row(id)).toMatchObject({ status: 'running', suspendedAt: null });
  openA();
  await suspended(id);
  expect(codes().toSorted()).toEqual(['a', 'c', 'e']);
  await resume(id);
  await engine.until(id, 'completed');
  expect(codes().toSorted()).toEqual(['a', 'c', 'd', 'e']);
});

test('waits for a time or an event stay, and continue after it', async () => {
  const next = { b: script('b') };
  engine.definitions.set('times', workflow({ pause: wait(1_500), ...next }));
  engine.definitions.set('listens', workflow({ heard: listenTo('t'), ...next }));
  engine.work();
  const [timed, listening, control] = [
    await engine.run('times'),
    await engine.run('listens'),
    await engine.run('listens'),
  ];
  for (const id of [timed, listening, control]) await engine.until(id, 'waiting');
  expect(await suspend(timed)).toEqual({ executionId: timed, status: 'suspended', wasStatus: 'waiting' });
  await suspend(listening);
  // Starts later than the suspended execution and takes as long.
  const later = await engine.run('times');
  await engine.executions.publish(event('1', 't', { x: 1 }));
  for (const id of [control, later]) await engine.until(id, 'completed');
  for (const id of [timed, listening]) expect(await engine.row(id)).toMatchObject({ status: 'waiting', wakeAt: null });
  expect(codes()).toEqual(['b', 'b']);
  for (const id of [timed, listening]) {
    await resume(id);
    await engine.until(id, 'completed');
  }
});

test('a suspension extends time-outs, but not waits', async () => {
  const limited = { do: [{ pause: wait(3_600_000) }], timeout: { after: { hours: 2 } } };
  engine.definitions.set('limited', { ...workflow({ limited }), timeout: { after: { hours: 3 } } });
  engine.work();
  const id = await engine.run('limited');
  await engine.until(id, 'waiting');
  const timers = async () =>
    new Map(
      (await database.selectFrom('executionTimers').selectAll().where('executionId', '=', id).execute()).map(
        ({ timer, fireAt }) => [timer, fireAt.getTime()],
      ),
    );
  const before = await timers();
  await suspend(id);
  await sql`UPDATE executions SET suspended_at = suspended_at - interval '1 day' WHERE id = ${id}`.execute(database);
  await resume(id);
  await engine.until(id, 'waiting');
  const days = [...(await timers())].map(([timer, at]) => {
    const moved = (at - (before.get(timer) ?? 0)) / 86_400_000;
    return [timer.replace(/.*#/, '').replace(/\.\d+$/, ''), Math.round(moved)];
  });
  expect(days.toSorted()).toEqual([
    ['timeout', 1],
    ['timeout', 1],
    ['wait', 0],
  ]);
});

test('an execution suspends the sub-workflows it waits for', async () => {
  engine.definitions.set('parent', workflow({ child: runChild('child'), after: script('after') }));
  engine.definitions.set('child', workflow({ heard: listenTo('c'), inner: script('inner') }));
  engine.work();
  const id = await engine.run('parent');
  const child = await waitFor('the child', () =>
    database
      .selectFrom('executions')
      .select('id')
      .where('parentId', '=', id)
      .where('status', '=', 'waiting')
      .executeTakeFirst(),
  );
  await engine.until(id, 'waiting');
  await suspend(id);
  expect(await engine.row(child.id)).toMatchObject({ status: 'waiting', suspendedAt: expect.any(Date) });
  // Its outcome waits for the parent.
  await resume(child.id);
  await engine.executions.publish(event('1', 'c'));
  await engine.until(child.id, 'completed');
  expect(await engine.row(id)).toMatchObject({ status: 'waiting', suspendedAt: expect.any(Date) });
  expect(codes()).toEqual(['inner']);
  await resume(id);
  await engine.until(id, 'completed');
  expect(codes()).toEqual(['inner', 'after']);
});

test('suspends queued executions immediately, and those behind a concurrency key at their turn', async () => {
  engine.definitions.set('one', workflow({ a: script('a') }));
  const queued = await engine.run('one');
  expect(await suspend(queued)).toMatchObject({ status: 'suspended', wasStatus: 'pending' });
  expect(await engine.row(queued)).toMatchObject({ status: 'waiting', startedAt: null });
  const open = gate('a');
  engine.work();
  const holder = await engine.run('one', { concurrencyKey: 'key' });
  await began('a');
  const behind = await engine.run('one', { concurrencyKey: 'key' });
  expect(await suspend(behind)).toMatchObject({ status: 'suspension-requested', wasStatus: 'created' });
  open();
  await engine.until(holder, 'completed');
  await suspended(behind);
  expect(codes()).toEqual(['a']);
  for (const id of [queued, behind]) {
    await resume(id);
    await engine.until(id, 'completed');
  }
});

test('a suspended execution can be cancelled, and one without its worker is suspended', async () => {
  engine.definitions.set('stuck', workflow({ a: script('stuck'), b: script('b') }));
  let isStuck = true;
  engine.tasks.set('stuck', (_, { signal }) =>
    isStuck
      ? new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      : Promise.resolve('free'),
  );
  const first = engine.work();
  const [stopped, killed, cancelled] = [
    await engine.run('stuck'),
    await engine.run('stuck'),
    await engine.run('stuck'),
  ];
  await waitFor('the tasks to begin', () => codes().length === 3);
  for (const id of [stopped, killed, cancelled]) await suspend(id);
  expect(await engine.executions.cancel(cancelled)).toMatchObject({ status: 'cancellation-requested' });
  expect(await suspend(cancelled)).toMatchObject({ status: 'cancellation-requested' });
  await engine.until(cancelled, 'cancelled');
  // As after a kill: the lease expires. The other run is released by a worker that stops.
  await sql`UPDATE executions SET lease_until = now() - interval '1 second', epoch = epoch + 1 WHERE id = ${killed}`.execute(
    database,
  );
  await reclaimExpiredExecutions(database, { maxCrashes: 3, unavailableMsAgo: null });
  expect(await suspended(killed)).toMatchObject({ status: 'waiting', losses: 1 });
  await first.stop();
  expect(await engine.row(stopped)).toMatchObject({ status: 'waiting', suspendedAt: expect.any(Date) });
  isStuck = false;
  engine.work();
  for (const id of [stopped, killed]) {
    await resume(id);
    await engine.until(id, 'completed');
  }
  engine.definitions.set('waits', workflow({ heard: listenTo('never') }));
  const waiting = await engine.run('waits');
  await engine.until(waiting, 'waiting');
  await suspend(waiting);
  await engine.executions.cancel(waiting);
  await engine.until(waiting, 'cancelled');
});
