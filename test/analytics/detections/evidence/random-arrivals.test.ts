import { expect, test } from 'vitest';
import { arriveAtRandom } from '#analytics/detections/evidence/random-arrivals.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

const DRAWS = 400;

/** Returns the share of samples that are judged as random. A sample has `count` times with gaps drawn by `gap`. */
function shareOf(gap: (next: () => number) => number, count = 160): number {
  const { next } = seededRandom(11);
  let random = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let t = 0;
    const times = Array.from({ length: count }, () => {
      t += gap(next);
      return t;
    });
    if (arriveAtRandom(times)) random += 1;
  }
  return random / DRAWS;
}

const exponential = (mean: number) => (next: () => number) => -mean * Math.log(1 - next());

test('recognizes independent clients', () => {
  expect(shareOf(exponential(4))).toBeGreaterThan(0.97);
  expect(shareOf(exponential(0.01))).toBeGreaterThan(0.97);
  expect(shareOf(exponential(60), 120)).toBeGreaterThan(0.95);
});

test.each([
  ['the same pause each time', () => 1],
  ['a pause that varies by half', (next: () => number) => 0.5 + next()],
  ['any pause up to two seconds', (next: () => number) => 2 * next()],
  ['an answer, then a pause', (next: () => number) => 1 + exponential(0.5)(next)],
  ['bursts of five', (next: () => number) => (next() < 0.8 ? 0.02 : 10)],
])('does not mistake one attacker for them: %s', (_name, gap: (next: () => number) => number) => {
  expect(shareOf(gap)).toBeLessThan(0.02);
});

test('a few crashes show no pattern', () => {
  expect(shareOf(exponential(4), 39)).toBe(0);
});
