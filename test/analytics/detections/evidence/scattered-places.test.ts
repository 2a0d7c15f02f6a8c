import { expect, test } from 'vitest';
import { findScattered } from '#analytics/detections/evidence/scattered-places.ts';
import { random } from '#analytics/detections/rule-case.ts';
import { rule } from '#analytics/detections/rules/instruction-pointer-probe.ts';
import * as place from '#analytics/detections/state/crash-points.ts';

const THRESHOLDS = rule.thresholds.parse({});
const MAPPED = 1;

/** Returns the number of the crash at which the places are judged as scattered, or undefined if they never are. */
function foundAt(places: Iterable<number>, space = MAPPED): number | undefined {
  let points: number[] = [];
  let crashes = 0;
  for (const offset of places) {
    crashes += 1;
    const index = place.lowerBound(points, space, offset);
    if (place.isAt(points, index, space, offset)) {
      const at = index * place.STRIDE + place.CRASHES;
      points[at] = (points[at] as number) + 1;
      continue;
    }
    points = place.insertPoint(points, index, space, offset, { seconds: 1000 + crashes, nanos: 0 }, crashes, crashes);
    if (findScattered(points, 1000 + crashes, THRESHOLDS) !== undefined) return crashes;
  }
  return undefined;
}

/** Crashes of a program with `faults` faults: equally frequent if `skew` is 0, distributed by Zipf's law if it is 1. */
function* crashesOf(seed: number, faults: number, skew: number, count: number): Generator<number> {
  const weights = Array.from({ length: faults }, (_, i) => 1 / (i + 1) ** skew);
  const sum = weights.reduce((a, b) => a + b);
  for (let i = 0; i < count; i += 1) {
    let left = random(seed * 100_003 + i) * sum;
    let fault = 0;
    while (fault < faults - 1 && left > (weights[fault] as number)) {
      left -= weights[fault] as number;
      fault += 1;
    }
    yield fault * 1000;
  }
}

/** Returns how many of the programs are mistaken for a scan within 300 crashes. */
function falseAlarms(faults: number, skew: number, programs = 200): number {
  let alarms = 0;
  for (let seed = 0; seed < programs; seed += 1)
    if (foundAt(crashesOf(seed, faults, skew, 300)) !== undefined) alarms += 1;
  return alarms;
}

test('programs with few faults are mistaken for a scan only at the stated base rate', () => {
  expect(falseAlarms(10, 0)).toBe(0);
  expect(falseAlarms(15, 0, 1_000)).toBeLessThanOrEqual(3);
  // A program has at most one crash loop per month, so the share of programs equals the number per month.
  expect(falseAlarms(20, 1, 1_000) / 1_000).toBeLessThanOrEqual(rule.statistics.falseAlarmsPerMonth);
  expect(falseAlarms(20, 0)).toBeLessThanOrEqual(20);
});

test('finds a scan at its 12th address if hardly any repeats, in any order, else at its 16th', () => {
  expect(foundAt(Array.from({ length: 100 }, (_, i) => i * 80))).toBe(12);
  expect(foundAt(Array.from({ length: 100 }, (_, i) => Math.floor(random(i) * 1e6) * 80))).toBe(12);
  // Three places have two crashes, so fewer than 90 % of the places have one.
  expect(foundAt([0, 0, 80, 80, 160, 160, ...Array.from({ length: 97 }, (_, i) => (i + 3) * 80)])).toBe(19);
});

test('finds a scan among a crash loop with twice as many crashes', () => {
  const crashes = Array.from({ length: 120 }, (_, i) => (i % 3 === 0 ? i * 80 : 77));
  expect(foundAt(crashes)).toBeLessThan(60);
});

test('places outside files are generated code, and do not count', () => {
  expect(
    foundAt(
      Array.from({ length: 100 }, (_, i) => i * 4096),
      0,
    ),
  ).toBeUndefined();
});
