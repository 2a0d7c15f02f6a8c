import { expect, test } from 'vitest';
import { criticalDistance, largestDistance, rankDeviation, smallestDetected } from './two-samples.ts';

const ramp = Array.from({ length: 1000 }, (_value, at) => at / 1000);
const shifted = ramp.map((value) => value + 0.2);

test('the distance of a sample to itself is 0, and to a disjoint one 1', () => {
  expect(largestDistance(ramp, ramp)).toBe(0);
  expect(
    largestDistance(
      ramp,
      ramp.map((value) => value + 2),
    ),
  ).toBe(1);
  expect(largestDistance(ramp, shifted)).toBeCloseTo(0.2, 2);
  expect(largestDistance(shifted, ramp)).toBeCloseTo(0.2, 2);
});

test('the critical distance equals that of the tables', () => {
  expect(criticalDistance(100, 100, 0.05)).toBeCloseTo(1.358 * Math.sqrt(2 / 100), 3);
});

test('ranks show which sample is slower', () => {
  expect(rankDeviation(ramp, ramp)).toBeCloseTo(0, 6);
  expect(rankDeviation(shifted, ramp)).toBeGreaterThan(10);
  expect(rankDeviation(ramp, shifted)).toBeLessThan(-10);
});

test('finds the smallest detectable shift', () => {
  expect(smallestDetected(ramp, ramp, 0.1)).toBeCloseTo(0.1, 2);
});
