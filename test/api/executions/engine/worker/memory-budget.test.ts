import { expect, test } from 'vitest';
import { createMemoryBudget } from '#api/executions/engine/worker/memory-budget.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;
const of = (id: string, ownerId: string) => ({ id, ownerId });

test('one account uses at most half, and others are not affected', async () => {
  const values = createMemoryBudget({ totalBytes: 10 * MIB, waitMs: 0 });
  await values.reserve(of('a1', 'a'), 3 * MIB, never);
  await values.reserve(of('a2', 'a'), 2 * MIB, never);
  await expect(values.reserve(of('a3', 'a'), MIB, never)).rejects.toMatchObject({
    error: { detail: 'the executions in progress of this account hold too much data: run fewer concurrently' },
  });
  await values.reserve(of('b1', 'b'), 5 * MIB, never);
  // Memory that an execution already holds is not reserved again, and a smaller amount is always granted.
  await values.reserve(of('a1', 'a'), 3 * MIB, never);
  await values.reserve(of('a1', 'a'), MIB, never);
  expect(values.total()).toBe(8 * MIB);
});

test('an execution waits until others have ended', async () => {
  const values = createMemoryBudget({ totalBytes: 10 * MIB });
  await values.reserve(of('a1', 'a'), 5 * MIB, never);
  const waiting = values.reserve(of('a2', 'a'), 5 * MIB, never);
  values.release('a1');
  await waiting;
  values.release('a2');
  values.release('a2');
  expect(values.total()).toBe(0);
});

test('small executions never wait, and an aborted one stops', async () => {
  const values = createMemoryBudget({ totalBytes: MIB });
  for (let at = 0; at < 1_000; at++) await values.reserve(of(`a${at}`, 'a'), 50_000, never);
  const aborted = new AbortController();
  const waiting = values.reserve(of('large', 'a'), 2 * MIB, aborted.signal);
  aborted.abort();
  await expect(waiting).rejects.toThrow('aborted');
});
