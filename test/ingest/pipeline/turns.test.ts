import { expect, it } from 'vitest';
import { coalesceTurns, createTurns } from '#ingest/pipeline/turns.ts';

/** Resolves after everything that was asked for before has had its turn. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('does one piece of work a turn, in the order of asking, also of work that asks for more', async () => {
  const takeTurn = createTurns();
  const done: string[] = [];
  takeTurn(() => {
    done.push('a1');
    takeTurn(() => done.push('a2'));
  });
  takeTurn(() => done.push('b1'));
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(['a1']);
  await turn();
  expect(done).toEqual(['a1', 'b1']);
  await turn();
  expect(done).toEqual(['a1', 'b1', 'a2']);
});

it('requests one turn at a time; a request that is made by the work itself gets another turn', async () => {
  const done: number[] = [];
  const wake = coalesceTurns(createTurns(), () => {
    done.push(done.length);
    if (done.length === 1) wake();
  });
  wake();
  wake();
  await turn();
  expect(done).toEqual([0]);
  await turn();
  await turn();
  expect(done).toEqual([0, 1]);
});
