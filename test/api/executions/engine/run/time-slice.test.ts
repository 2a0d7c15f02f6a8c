import { afterEach, expect, test } from 'vitest';
import type { Interpreter } from '#api/executions/engine/contract/port.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { createEngineFixture, interpreter, wait, workflow } from '../engine-fixture.ts';

const { database, url } = await usePostgres();
const engine = createEngineFixture(database, url);
afterEach(() => engine.clear());

/** Every event causes more work than fits into a time slice. */
function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/**
 * Regression: a `fork` with several thousand waits blocked the service for minutes, because the events of one run were
 * handled without yielding to the event loop.
 */
test('the event loop runs between the events of a run', async () => {
  const seen: ('event' | 'turn')[] = [];
  const slow: Interpreter = {
    start: (...given) => interpreter.start(...given),
    async advance(...given) {
      const advanced = await interpreter.advance(...given);
      busyFor(30);
      seen.push('event');
      return advanced;
    },
  };
  let watching = true;
  const turn = () => {
    seen.push('turn');
    if (watching) setImmediate(turn);
  };
  setImmediate(turn);
  const branches = Array.from({ length: 20 }, (_, at) => ({ [`b${at}`]: wait(1) }));
  engine.definitions.set('wide', workflow({ all: { fork: { branches } } }));
  engine.work({}, { interpreter: slow });
  await engine.until(await engine.run('wide'), 'completed');
  watching = false;

  const events = seen.flatMap((what, at) => (what === 'event' ? [at] : []));
  expect(events.length).toBeGreaterThanOrEqual(20);
  const together = events.filter((at) => seen[at + 1] === 'event');
  expect(together).toEqual([]);
});

/** Regression: the continuation was queued before everything else, so timers and other events were never handled. */
test('the time-out of its workflow stops an endless loop', async () => {
  const setThen = (next: string): JsonValue => ({ set: { n: 1 }, ...Object.fromEntries([['then', next]]) });
  const loop = workflow({ a: setThen('b'), b: setThen('a') });
  engine.definitions.set('loop', { ...loop, timeout: { after: { milliseconds: 200 } } });
  engine.work();
  const { error } = await engine.until(await engine.run('loop'), 'failed');
  expect(error).toMatchObject({ type: expect.stringMatching(/timeout$/) });
});
