import { expect, test } from 'vitest';
import { alertsOf, judgeKind, KINDS } from './judge-variants.ts';

// `npm run soak -- --of variants` judges thousands of seeds of each kind.
const SEEDS = 6;

test.each(KINDS)('%s: attacks raise an alert, faults of programs none', (kind) => {
  expect(judgeKind(kind, 1, SEEDS).wrong).toEqual([]);
});

test.each(['canary byte by byte', 'canary of musl byte by byte', 'layout of a 32-bit program'])(
  '%s: raises one alert per attack',
  (kind) => {
    expect(judgeKind(kind, 1, SEEDS).alerts).toBe(SEEDS);
  },
);

test('the same seed gives the same variant', () => {
  const kind = 'scan spread over 20 hosts';
  expect(alertsOf(kind, 3)).toEqual(alertsOf(kind, 3));
  expect(alertsOf(kind, 3)).not.toEqual(alertsOf(kind, 4));
});
