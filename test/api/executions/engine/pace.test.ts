import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPace } from '#api/executions/engine/interpreter/pace.ts';

const MIB = 1024 * 1024;

/**
 * Runs with several steps that each produce this much. Returns what each time slice of the event loop produced, in
 * order.
 */
async function turnsOf(names: readonly string[], steps: number, bytes: number): Promise<string[][]> {
  const pace = createPace();
  let turn: string[] = [];
  const run = async (name: string) => {
    for (let step = 0; step < steps; step++) {
      await pace.step();
      turn.push(name);
      await pace.made(bytes);
    }
  };
  const turns: string[][] = [];
  let done = false;
  const all = Promise.all(names.map(run)).then(() => {
    done = true;
  });
  while (!done) {
    await nextTurn();
    turns.push(turn);
    turn = [];
  }
  await all;
  return turns.filter((made) => made.length > 0);
}

const NAMES = Array.from({ length: 100 }, (_, at) => `run ${at}`);

test('one turn of the event loop takes a bounded number of steps, whatever the number of runs', async () => {
  const turns = await turnsOf(NAMES, 10, 0);
  expect(turns.flat()).toHaveLength(1_000);
  // At most 128 steps per time slice. Two slices may run between two callbacks of this test.
  expect(Math.max(...turns.map((made) => made.length))).toBeLessThanOrEqual(2 * 128);
  // In order: no run is ahead of another by more than one step.
  expect(turns.flat().slice(0, 100)).toEqual(NAMES);
});

test('a run with expensive steps yields after each', async () => {
  const turns = await turnsOf(['a'], 20, 2 * MIB);
  expect(turns.flat()).toHaveLength(20);
  // Callbacks of this test may run between two of them.
  expect(Math.max(...turns.map((made) => made.length))).toBeLessThanOrEqual(2);
});
