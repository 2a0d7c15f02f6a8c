import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeWindows } from '#analytics/clickhouse/read-models/time-windows.ts';

const SECOND = 1_000n;

/** Walks over rows that are this many seconds apart until there are enough; resolves to how many windows that took, and how many rows they held. */
function walk(secondsApart: number, wanted: number, narrowed = false) {
  const newest = 1_800_000_000n * SECOND;
  const windows = timeWindows(newest, SECOND, { wanted, narrowed });
  let [steps, rows, total] = [0, 0, 0];
  for (let { value: window } = windows.next(0); window !== undefined && total < wanted; ) {
    const seconds = Number(((window.before ?? newest) - (window.from ?? 0n)) / SECOND);
    rows = Math.floor(seconds / secondsApart);
    total += rows;
    steps += 1;
    window = windows.next(rows).value;
  }
  return { steps, total };
}

test.each([
  ['frequent', 0.05, 1],
  ['one in a minute', 60, 3],
  ['one in eight minutes', 486, 3],
  ['one in a day', 86_400, 4],
])('a page of what is %s takes few queries, and not much more is looked at than is wanted', (_, secondsApart, most) => {
  const { steps, total } = walk(secondsApart, 101);
  expect(steps).toBeLessThanOrEqual(most);
  expect(total).toBeLessThan(101 * 17);
});

test.each([
  ['frequent', 1, 1],
  ['one in a minute', 60, 2],
  ['one in a day', 86_400, 4],
  ['nowhere', 1e12, 4],
])('a list that is narrowed to what is %s takes as few, or fewer', (_, secondsApart, most) => {
  expect(walk(secondsApart, 101, true).steps).toBeLessThanOrEqual(most);
});

test('windows follow one another without a gap, whatever they held, and the last one is open', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 200 }), { maxLength: 40 }), fc.nat({ max: 1_000 }), (held, wanted) => {
      const windows = timeWindows(1_800_000_000n * SECOND, SECOND, { wanted });
      let before: bigint | undefined;
      for (let step = 0; ; step += 1) {
        const { value: window } = windows.next(held[step] ?? 0);
        expect(window).toMatchObject({ before });
        if (window?.from === undefined) return;
        expect(before === undefined || window.from < before).toBe(true);
        before = window.from;
      }
    }),
  );
});
