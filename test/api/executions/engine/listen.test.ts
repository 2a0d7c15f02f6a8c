import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonValue } from '#api/executions/json-value.ts';
import { findTracedStep } from '#api/executions/store/repetition.ts';
import type { Database } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { createEngineFixture, type EngineFixture, event, script, workflow } from './engine-fixture.ts';

/** `listen` with `until` and `foreach` on PostgreSQL: waits, signals, workers. */

let database: Database;
let engine: EngineFixture;
beforeEach(async () => {
  const postgres = await usePostgres();
  database = postgres.database;
  engine = createEngineFixture(database, postgres.url);
});
afterEach(() => engine.stopAll());

const hear: JsonValue = {
  listen: { to: { any: [{ with: { type: 'report' } }], until: { one: { with: { type: 'enough' } } } } },
  foreach: { do: [{ turn: script('turn') }] },
};
const turnsBegun = (): number => engine.begun.filter(({ code }) => code === 'turn').length;
const signals = (id: string) =>
  database
    .selectFrom('executionSignals')
    .select(['consumed', 'delivered'])
    .where('executionId', '=', id)
    .orderBy('id')
    .execute();

test('an execution takes one event after another, keeps no slot between them, and ends by the final event', async () => {
  engine.definitions.set('hears', workflow({ hear }));
  const worker = engine.work();
  const id = await engine.run('hears');
  for (const number of [1, 2, 3]) {
    await engine.until(id, 'waiting');
    await waitFor('the execution to be released', () => worker.held() === 0);
    await engine.executions.publish(event(String(number), 'report', number));
    await waitFor(`turn ${number}`, () => turnsBegun() === number);
  }
  await engine.until(id, 'waiting');
  await engine.executions.publish(event('none', 'nothing to it'));
  await engine.executions.publish(event('last', 'enough'));
  expect((await engine.until(id, 'completed')).result).toEqual(['turn', 'turn', 'turn']);
  expect(await signals(id)).toEqual([1, 2, 3, 4].map(() => ({ consumed: true, delivered: true })));
  expect(await database.selectFrom('executionWaits').selectAll().execute()).toEqual([]);
  expect(new Set(engine.begun.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
});

test('events that arrive during a foreach iteration wait for the next one, also on another worker', async () => {
  engine.definitions.set('hears', workflow({ hear }));
  const begun = Promise.withResolvers<void>();
  engine.tasks.set('turn', ({ kind }, { signal }) => {
    begun.resolve();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error(`${kind} was left`))));
  });
  const first = engine.work({ finishMs: 0 });
  const id = await engine.run('hears');
  await engine.until(id, 'waiting');
  await engine.executions.publish(event('1', 'report'));
  await begun.promise;
  for (const [name, type] of [
    ['2', 'report'],
    ['3', 'enough'],
    ['4', 'report'],
  ] as const)
    await engine.executions.publish(event(name, type));
  // The last event is delivered too, unless the worker had already read the end. After that no task listens.
  await waitFor(
    'them to be delivered',
    async () => (await signals(id)).filter(({ delivered }) => delivered).length >= 3,
  );
  await first.stop();
  expect((await engine.row(id)).status).toBe('pending');
  engine.tasks.delete('turn');
  engine.work();
  expect((await engine.until(id, 'completed')).result).toEqual(['turn', 'turn']);
  // No task consumes events that arrive after the end.
  const all = await signals(id);
  expect(all.slice(0, 3).map(({ consumed }) => consumed)).toEqual([true, true, true]);
  expect(all.slice(3).filter(({ consumed }) => consumed)).toEqual([]);
});

test('a replay receives the events of its source again', async () => {
  engine.definitions.set('hears', workflow({ hear, after: script('after') }));
  engine.work();
  const source = await engine.run('hears');
  await engine.until(source, 'waiting');
  for (const [name, type] of [
    ['1', 'report'],
    ['2', 'report'],
    ['3', 'enough'],
  ] as const) {
    await engine.executions.publish(event(name, type));
  }
  await engine.until(source, 'completed');
  engine.begun.length = 0;
  const replayFrom = (await findTracedStep(database, source, 'after')) ?? null;
  const replayed = await engine.run('hears', { triggerType: 'replay', sourceExecutionId: source, replayFrom });
  await engine.until(replayed, 'completed');
  expect(engine.begun.map(({ code }) => code)).toEqual(['after']);
});
