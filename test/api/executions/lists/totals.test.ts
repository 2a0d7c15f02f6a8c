import { expect, test } from 'vitest';
import { createTotals } from '#api/executions/lists/totals.ts';

/** A list with `rows` rows that counts how often it was counted. */
function list(rows: number) {
  const counted = { some: 0, all: 0 };
  return {
    counted,
    set rows(next: number) {
      rows = next;
    },
    upTo: async (atMost: number) => {
      counted.some += 1;
      return Math.min(rows, atMost);
    },
    all: async () => {
      counted.all += 1;
      return rows;
    },
  };
}

test('counts a small list each time, exactly', async () => {
  const countTotal = createTotals({ exactUpTo: 10 });
  const small = list(10);
  expect(await countTotal('a', small)).toBe(10);
  small.rows = 7;
  expect(await countTotal('a', small)).toBe(7);
  expect(small.counted).toEqual({ some: 2, all: 0 });
});

test('counts a large list at intervals, and returns its total from memory between counts', async () => {
  let now = 0;
  const countTotal = createTotals({ exactUpTo: 10, keepMs: 1_000, now: () => now });
  const large = list(5_000);
  expect(await countTotal('a', large)).toBe(5_000);
  large.rows = 6_000;
  expect(await countTotal('a', large)).toBe(5_000);
  expect(large.counted.all).toBe(1);
  now = 1_001;
  // A stale total is returned once more and refreshed in the background.
  expect(await countTotal('a', large)).toBe(5_000);
  await expect.poll(() => countTotal('a', large)).toBe(6_000);
  expect(large.counted.all).toBe(2);
  // This does not affect the total of another list.
  expect(await countTotal('b', list(20))).toBe(20);
});

test('returns a count that the database keeps unchanged, without another count', async () => {
  const countTotal = createTotals({ exactUpTo: 10, patienceMs: 0 });
  const large = list(5_000);
  let kept = 5_000;
  const counted = { upTo: large.upTo, all: large.all, kept: async () => kept };
  expect(await countTotal('a', counted)).toBe(5_000);
  kept = 5_001;
  expect(await countTotal('a', counted)).toBe(5_001);
  // Rows were inserted after the count: the total is at least the number of rows seen.
  kept = 0;
  expect(await countTotal('a', counted)).toBe(11);
  expect(large.counted.all).toBe(0);
});

test('returns a lower bound to a caller that cannot wait for the whole count', async () => {
  const countTotal = createTotals({ exactUpTo: 10, patienceMs: 1 });
  const counting = Promise.withResolvers<number>();
  const slow = { upTo: async (atMost: number) => atMost, all: () => counting.promise };
  expect(await countTotal('a', slow)).toBe(11);
  counting.resolve(123);
  await expect.poll(() => countTotal('a', slow)).toBe(123);
});

test('repeats a failed count', async () => {
  const countTotal = createTotals({ exactUpTo: 10 });
  const failing = { upTo: async (atMost: number) => atMost, all: () => Promise.reject(new Error('away')) };
  expect(await countTotal('a', failing)).toBe(11);
  expect(await countTotal('a', list(50))).toBe(50);
});
