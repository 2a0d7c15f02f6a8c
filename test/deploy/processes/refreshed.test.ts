import { expect, test } from 'vitest';
import { refreshed } from '#deploy/processes/refreshed.ts';

test('concurrent callers share one query', async () => {
  let asked = 0;
  const answer = refreshed({ everyMs: 60_000 }, async () => [++asked]);
  expect(await Promise.all([answer(), answer()])).toEqual([[1], [1]]);
  expect(await answer()).toEqual([1]);
});

test('repeats the query when the result is too old', async () => {
  let asked = 0;
  const answer = refreshed({ everyMs: 0 }, async () => [++asked]);
  expect([await answer(), await answer()]).toEqual([[1], [2]]);
});

test('returns an empty result for a failed query, and repeats it the next time', async () => {
  let unavailable = true;
  const answer = refreshed({ everyMs: 60_000 }, async () => {
    if (unavailable) throw new Error('away');
    return ['here'];
  });
  expect(await answer()).toEqual([]);
  unavailable = false;
  expect(await answer()).toEqual(['here']);
});

test('returns the last result while a query hangs, with one query in flight', async () => {
  const hanging = Promise.withResolvers<readonly string[]>();
  const answers = [Promise.resolve(['old']), hanging.promise];
  let asked = 0;
  const answer = refreshed({ everyMs: 0, waitMs: 5 }, () => answers[asked++] ?? Promise.reject(new Error('once more')));
  expect(await answer()).toEqual(['old']);
  expect(await answer()).toEqual(['old']);
  expect(await answer()).toEqual(['old']);
  expect(asked).toBe(2);
  const waiting = answer();
  hanging.resolve(['new']);
  expect(await waiting).toEqual(['new']);
});
