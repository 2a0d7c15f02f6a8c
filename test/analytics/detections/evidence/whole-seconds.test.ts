import { describe, expect, test } from 'vitest';
import { followsTimer } from '#analytics/detections/evidence/restart-timer.ts';
import { areWholeSeconds } from '#analytics/detections/evidence/whole-seconds.ts';
import { random, times } from '#analytics/detections/rule-case.ts';

/** Truncates times to whole seconds, as logs without fractions have them. */
const logged = (list: readonly number[]): number[] => list.map(Math.floor).sort((a, b) => a - b);
/** Sequential requests whose durations are drawn by `gap`. */
const oneByOne = (count: number, gap: (i: number) => number): number[] => {
  let t = 1_770_000_000;
  return times(count, (i) => {
    t += gap(i);
    return t;
  });
};

describe('does not mistake requests for a timer in a log of whole seconds', () => {
  test.each([0.1, 0.3, 0.6, 1, 1.5, 3, 10])('sequential, %d s each', (mean) => {
    expect(followsTimer(logged(oneByOne(160, (i) => mean * (0.6 + 0.8 * random(i)))))).toBe(false);
  });

  test.each([0.3, 1, 3, 10])('at random times, one in %d s on average', (mean) => {
    expect(followsTimer(logged(oneByOne(160, (i) => -mean * Math.log(1 - random(i)))))).toBe(false);
  });
});

describe('restarts after a fixed pause in a log of whole seconds', () => {
  test.each([1, 1.42, 2.5, 7.3, 30, 60.5])('one worker, %d s', (pause) => {
    expect(followsTimer(logged(oneByOne(60, (i) => pause + 0.02 * random(i))))).toBe(true);
  });

  test.each([2, 4, 8, 16])('%d workers out of step, a pause of 5 s', (workers) => {
    const phases = times(workers, (w) => 5 * random(100 + w));
    expect(followsTimer(logged(phases.flatMap((phase) => times(40, (i) => 1000 + phase + i * 5.01))))).toBe(true);
  });
});

test('one fraction of a second makes a log exact', () => {
  expect(areWholeSeconds([1000, 1001])).toBe(true);
  expect(areWholeSeconds([1000, 1001.5])).toBe(false);
});

test('too few crashes show no period', () => {
  expect(followsTimer([1000, 1000, 1001])).toBe(false);
});
