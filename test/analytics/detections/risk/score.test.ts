import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeRisk,
  HALF_LIFE_SECONDS,
  RISK_POINTS,
  type RiskDetection,
  riskAt,
  scoreOf,
} from '#analytics/detections/risk/score.ts';
import { random } from '#analytics/detections/rule-case.ts';

const DAY = HALF_LIFE_SECONDS;
const detection = fc
  .record({
    sign: fc.constantFrom('a', 'b', 'c', 'd'),
    points: fc.constantFrom(...Object.values(RISK_POINTS)),
    first: fc.integer({ min: 0, max: 10 * DAY }),
    lasts: fc.integer({ min: 0, max: 3 * DAY }),
  })
  .map(({ lasts, ...rest }): RiskDetection => ({ ...rest, last: rest.first + lasts }));

test('points halve in a day, signs add up, and the strongest detection of a sign counts', () => {
  const medium = { sign: 'a', points: 30, first: 0, last: DAY };
  expect(riskAt([medium], -1)).toEqual({ score: 0, normalised: 0, level: 'Unknown' });
  expect([0, DAY, 2 * DAY, 3 * DAY].map((at) => riskAt([medium], at).score)).toEqual([30, 30, 15, 7.5]);
  const others = [
    { sign: 'b', points: 10, first: 0, last: 0 },
    { sign: 'b', points: 10, first: DAY, last: DAY },
  ];
  expect(riskAt([medium, ...others], DAY).score).toBe(40);
});

test('the scale has the levels of the Elastic Common Schema', () => {
  expect([0, 10, 30, 50, 90, 180, 1e9].map((score) => describeRisk(score))).toMatchObject([
    { normalised: 0, level: 'Unknown' },
    { normalised: 12.94, level: 'Unknown' },
    { normalised: 34.02, level: 'Low' },
    { normalised: 50, level: 'Moderate' },
    { normalised: 71.28, level: 'High' },
    { normalised: 91.75, level: 'Critical' },
    { normalised: 99.99, level: 'Critical' },
  ]);
});

test('the score depends only on the set of detections, and only grows with more evidence', () => {
  const set = fc.array(detection, { maxLength: 12 });
  fc.assert(
    fc.property(set, detection, fc.integer({ min: 0, max: 14 * DAY }), fc.integer(), (all, more, at, seed) => {
      const { score } = riskAt(all, at);
      const turned = [...all.slice(seed % (all.length + 1)), ...all.slice(0, seed % (all.length + 1))].reverse();
      expect(riskAt([...turned, ...all], at).score).toBe(score);
      expect(riskAt([...all, more], at).score).toBeGreaterThanOrEqual(score);
      const grown = all.map((one, i) => (i === 0 ? { ...one, last: one.last + DAY } : one));
      expect(riskAt(grown, at).score).toBeGreaterThanOrEqual(score);
    }),
  );
});

/** Returns in how many of the months independent signs reach a score of 50. `perMonth` is the rate of each sign. */
function alarms(months: number, signs: readonly { readonly points: number; readonly perMonth: number }[]): number {
  let draws = 0;
  const gap = (perMonth: number) => {
    draws += 1;
    return (-Math.log(1 - random(draws)) * 30 * DAY) / perMonth;
  };
  let found = 0;
  for (let month = 0; month < months; month += 1) {
    const all = signs.flatMap(({ points, perMonth }, i) => {
      const times: RiskDetection[] = [];
      for (let at = gap(perMonth); at < 30 * DAY; at += gap(perMonth))
        times.push({ sign: String(i), points, first: at, last: at });
      return times;
    });
    if (all.some(({ first }) => scoreOf(all, first) >= 50)) found += 1;
  }
  return found;
}

test('independent signs of an ordinary host hardly ever add up to an alert', () => {
  const ordinary = [10, 10, 10, 10, 10, 10, 30, 30, 30].map((points) => ({ points, perMonth: 0.1 }));
  expect(alarms(20_000, ordinary) / 20_000).toBeLessThan(0.003);
  const unstable = [...Array(10).fill(10), 30, 30].map((points) => ({ points, perMonth: points === 10 ? 1 : 0.5 }));
  expect(alarms(5_000, unstable) / 5_000).toBeGreaterThan(0.01);
});
