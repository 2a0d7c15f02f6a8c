import { describe, expect, test } from 'vitest';
import { followsTimer } from '#analytics/detections/evidence/restart-timer.ts';
import { random, times } from '#analytics/detections/rule-case.ts';

const sorted = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b);
/** Arrival times of requests from a remote client: random gaps with this mean. */
const requests = (count: number, mean: number): number[] => {
  let t = 1_770_000_000;
  return times(count, (i) => {
    t -= mean * Math.log(1 - random(i));
    return t;
  });
};

describe('restarts after a fixed pause', () => {
  test.each([0.5, 1, 2, 10, 60])('one worker, %d s', (pause) => {
    let t = 1000;
    const crashes = times(40, (i) => {
      t += pause + 0.02 * random(i);
      return t;
    });
    expect(followsTimer(crashes)).toBe(true);
  });

  test.each([2, 4, 8])('%d workers out of step, a pause of 2 s', (workers) => {
    const phases = times(workers, (w) => 2 * random(100 + w));
    const crashes = phases.flatMap((phase) => times(20, (i) => 1000 + phase + i * 2.005));
    expect(followsTimer(sorted(crashes))).toBe(true);
  });

  test('four workers whose phases are nearly even by chance', () => {
    const phases = [0, 0.29, 0.68, 0.99];
    const crashes = times(15, (round) => phases.map((phase, i) => phase + round * (1.42 + 0.001 * i))).flat();
    expect(followsTimer(crashes.sort((a, b) => a - b))).toBe(true);
  });

  test('eight workers in step', () => {
    expect(followsTimer(sorted(times(160, (i) => 1000 + 2.003 * Math.floor(i / 8) + 0.0002 * (i % 8))))).toBe(true);
  });
});

describe('requests', () => {
  test.each([0.01, 0.05, 0.2, 0.5, 1, 5, 30])('at random times, one in %d s on average', (mean) => {
    expect(followsTimer(requests(160, mean))).toBe(false);
  });

  test.each([0.005, 0.02, 0.1, 0.3])('sequential, %d s each', (seconds) => {
    expect(followsTimer(times(160, (i) => 1000 + seconds * (i + 0.1 * random(i))))).toBe(false);
  });

  test('with a pause that varies by a tenth', () => {
    let t = 1000;
    const crashes = times(120, (i) => {
      t += 1 + 0.2 * (random(i) - 0.5);
      return t;
    });
    expect(followsTimer(crashes)).toBe(false);
  });
});

test('too few crashes to recognize a timer', () => {
  expect(followsTimer([])).toBe(false);
  expect(followsTimer([1000])).toBe(false);
  expect(followsTimer([1000, 1000])).toBe(false);
  expect(followsTimer([1000, 1001, 1002])).toBe(false);
});
