import { describe, expect, test } from 'vitest';
import { compareArms, passRate } from '#api/agents/evaluation/compare-arms.ts';
import { wilsonInterval } from '#api/agents/evaluation/intervals.ts';
import { mcnemarExact, signFlipTest } from '#api/agents/evaluation/significance.ts';

describe('the Wilson interval', () => {
  test.each([
    [8, 10, 0.490162, 0.943318],
    [0, 10, 0, 0.277533],
    [10, 10, 0.722467, 1],
    [50, 100, 0.403832, 0.596168],
  ])('of %i in %i is %f to %f', (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials);
    expect(interval?.low).toBeCloseTo(low, 5);
    expect(interval?.high).toBeCloseTo(high, 5);
  });
  test('of no trials does not exist', () => expect(wilsonInterval(0, 0)).toBe(undefined));
});

describe('McNemar’s exact test', () => {
  test.each([
    [0, 0, 1],
    [1, 1, 1],
    [1, 8, 0.0390625],
    [8, 1, 0.0390625],
    [0, 6, 0.03125],
    [0, 5, 0.0625],
    [5, 15, 0.041389465],
    [10, 10, 1],
  ])('of %i and %i: %f', (a, b, expected) => expect(mcnemarExact(a, b)).toBeCloseTo(expected, 7));

  test('works for thousands of pairs', () => {
    expect(mcnemarExact(1_000, 1_000)).toBe(1);
    expect(mcnemarExact(900, 1_100)).toBeGreaterThan(0);
    expect(mcnemarExact(900, 1_100)).toBeLessThan(1e-4);
  });
});

describe('the permutation of signs', () => {
  test.each([
    [[], 1],
    [[0, 0], 1],
    [[1, 2, 3], 0.25],
    [[1, 2, 3, 4, 5, 6], 0.03125],
    // The sum is 5. Of 16 choices of signs, 7 occurs once and 5 twice, and so do −7 and −5.
    [[1, 2, 3, -1], 0.375],
    [[1, -1], 1],
  ])('of %j: %f', (differences, expected) => expect(signFlipTest(differences)).toBeCloseTo(expected, 10));

  test('is deterministic for equal differences when there are too many for all permutations', () => {
    const some = Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? -1 : 1));
    expect(signFlipTest(some)).toBe(signFlipTest(some));
    // 26 of one sign and 14 of the other: 2 × P(at least 26 of 40 heads) = 0.0807.
    expect(signFlipTest(some)).toBeGreaterThan(0.07);
    expect(signFlipTest(some)).toBeLessThan(0.092);
    expect(signFlipTest(Array.from({ length: 40 }, () => 1))).toBeLessThan(1e-4);
  });
});

describe('two versions over the same examples', () => {
  const of = (passed: boolean | null, durationMs?: number) => ({
    passed,
    cost: durationMs === undefined ? null : { durationMs },
  });

  test('counts only examples with a verdict of both, and few different results are not significant', () => {
    const pairs = [
      { baseline: of(true, 100), candidate: of(true, 50) },
      { baseline: of(false, 100), candidate: of(true, 50) },
      { baseline: of(true, 100), candidate: of(null) },
      { baseline: undefined, candidate: of(true, 1) },
    ];
    expect(compareArms(pairs)).toMatchObject({
      both: 1,
      onlyBaseline: 0,
      onlyCandidate: 1,
      neither: 0,
      pValue: 1,
      verdict: 'too-few',
      baseline: { passed: 2, judged: 3 },
      candidate: { passed: 3, judged: 3 },
      metrics: [
        { metric: 'durationMs', pairs: 2, baselineMean: 100, candidateMean: 50, pValue: 0.5 },
        { metric: 'totalTokens', pairs: 0, baselineMean: null, pValue: null },
        { metric: 'credits', pairs: 0 },
      ],
    });
  });

  test.each([
    [0, 6, 'candidate-better'],
    [9, 1, 'baseline-better'],
    [3, 4, 'no-difference'],
    [0, 5, 'too-few'],
  ])('%i only the baseline, %i only the candidate: %s', (onlyBaseline, onlyCandidate, verdict) => {
    const pairs = [
      ...Array.from({ length: onlyBaseline }, () => ({ baseline: of(true), candidate: of(false) })),
      ...Array.from({ length: onlyCandidate }, () => ({ baseline: of(false), candidate: of(true) })),
    ];
    expect(compareArms(pairs).verdict).toBe(verdict);
  });

  test('has no rate without a verdict', () => {
    expect(passRate([undefined, of(null)])).toEqual({ passed: 0, judged: 0, rate: null, interval: null });
  });
});
