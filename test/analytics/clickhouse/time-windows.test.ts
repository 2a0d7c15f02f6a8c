import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeWindows } from '#analytics/clickhouse/read-models/time-windows.ts';

const SECOND = 1_000n;

/**
 * Walks rows that are this many seconds apart, with none in the last `silent` seconds, until the page is full. Returns
 * the number of windows and the number of rows scanned.
 */
function walk(secondsApart: number, wanted: number, narrowed = false, silent = 0) {
  const newest = 1_800_000_000n * SECOND;
  const windows = timeWindows(newest, SECOND, { wanted, narrowed });
  let [steps, rows, total] = [0, 0, 0];
  for (let { value: window } = windows.next(0); window !== undefined && total < wanted; ) {
    const before = Number(newest - (window.before ?? newest)) / 1000;
    const from = Number(newest - (window.from ?? 0n)) / 1000;
    rows = Math.floor((Math.max(from, silent) - Math.max(before, silent)) / secondsApart);
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
])('a page of %s takes few queries, and reads not much more than needed', (_, secondsApart, most) => {
  const { steps, total } = walk(secondsApart, 101);
  expect(steps).toBeLessThanOrEqual(most);
  expect(total).toBeLessThan(101 * 17);
});

test.each([
  ['frequent', 1, 1],
  ['one in a minute', 60, 2],
  ['one in a day', 86_400, 4],
  ['nowhere', 1e12, 4],
])('a list filtered to %s takes as few, or fewer', (_, secondsApart, most) => {
  expect(walk(secondsApart, 101, true).steps).toBeLessThanOrEqual(most);
});

test.each([
  ['one in half a minute', 30, 15 * 60],
  ['one in ten seconds', 10, 15.6 * 60],
])(
  'after a window with the last few events before a silence, does not read one of a thousand: %s',
  (_, secondsApart, silent) => {
    const { steps, total } = walk(secondsApart, 101, true, silent);
    expect(steps).toBeLessThanOrEqual(3);
    expect(total).toBeLessThan(101 * 17);
  },
);

test('a text search does not continue far beyond the start of a silent period', () => {
  const seventeenHours = 17 * 3600;
  const windows = timeWindows(1_800_000_000n * SECOND, SECOND, { wanted: 101, narrowed: true, byText: true });
  let last = 0;
  for (let { value: window } = windows.next(0); window?.from !== undefined; window = windows.next(0).value) {
    const back = Number(1_800_000_000n * SECOND - window.from) / 1000;
    if (last < seventeenHours && back >= seventeenHours) expect(back).toBeLessThan(seventeenHours * 10);
    last = back;
  }
  expect(last).toBeGreaterThan(30 * 86_400);
});

test('windows are contiguous regardless of their content, and the last one is open', () => {
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
