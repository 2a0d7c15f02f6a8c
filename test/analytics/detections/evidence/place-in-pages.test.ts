import { expect, test } from 'vitest';
import { findSameInPages } from '#analytics/detections/evidence/place-in-pages.ts';
import { insertPoint, lowerBound } from '#analytics/detections/state/crash-points.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

const RULE = { window: 100, minPages: 8 };

/** Places of one mapping that crashed at second 0, and the index of the last of them. */
function places(offsets: readonly number[], seconds = 0) {
  let points: number[] = [];
  for (const [i, offset] of offsets.entries())
    points = insertPoint(points, lowerBound(points, 1, offset), 1, offset, { seconds, nanos: 0 }, i * 2, i);
  return { points, index: lowerBound(points, 1, offsets.at(-1) as number) };
}

const find = ({ points, index }: ReturnType<typeof places>, t = 0) => findSameInPages(points, index, t, RULE)?.length;
const pages = (count: number, at: number) => Array.from({ length: count }, (_, i) => i * 4096 + at);

test('finds eight pages with a crash at nearly the same offset, also across the end of a page', () => {
  expect(find(places(pages(8, 0x87a)))).toBe(8);
  expect(find(places([...pages(7, 0x87a), 7 * 4096 + 0x87a - 16]))).toBe(8);
  expect(find(places([0xff8, 0x2002, 0x2ffa, 0x4001, 0x4fff, 0x6005, 0x6ffe, 0x8000]))).toBe(8);
});

test('ignores seven pages, and eight of which one is too far away or too old', () => {
  expect(find(places(pages(7, 0x87a)))).toBeUndefined();
  expect(find(places([7 * 4096 + 0x87a - 17, ...pages(7, 0x87a)]))).toBeUndefined();
  expect(find(places(pages(8, 0x87a)), 101)).toBeUndefined();
  // Several places in one page count as one page.
  expect(find(places([...pages(7, 0x87a), 0x87c, 0x87e, 0x880]))).toBeUndefined();
});

test('programs with 60 faults at random places do not reach it', () => {
  const random = seededRandom(7);
  for (let program = 0; program < 300; program += 1) {
    const { points } = places([...new Set(Array.from({ length: 60 }, () => random.between(0, 0x40_0000)))]);
    for (let index = 0; index < 60; index += 7) expect(findSameInPages(points, index, 0, RULE)).toBeUndefined();
  }
});
