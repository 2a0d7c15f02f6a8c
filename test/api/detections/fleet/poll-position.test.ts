import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterPeriod,
  afterTooLarge,
  FIRST_POSITION,
  nextPeriod,
  pollSince,
} from '#api/detections/fleet/poll-position.ts';

const NOW = 1_800_000_000_000;
const WEEK = 7 * 86_400_000;

test('the first poll covers a week in one query, later polls the new events and ten minutes before', () => {
  expect(pollSince(FIRST_POSITION, NOW)).toBe(NOW - WEEK);
  expect(nextPeriod(FIRST_POSITION, NOW - WEEK, NOW)).toEqual({ sinceMs: NOW - WEEK, untilMs: undefined });
  const position = afterPeriod(FIRST_POSITION, NOW);
  expect(pollSince(position, NOW + 60_000)).toBe(NOW - 600_000);
  expect(nextPeriod(position, NOW, NOW)).toBeUndefined();
});

test('the periods of polls are contiguous after any number of too large queries, and the position never goes back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3_600_000, max: WEEK }), fc.nat(WEEK), (largest, later) => {
      let position = FIRST_POSITION;
      for (const now of [NOW, NOW + later]) {
        let since = pollSince(position, now);
        for (let period = nextPeriod(position, since, now); period !== undefined; ) {
          expect(period.sinceMs).toBe(since);
          const until = period.untilMs ?? now;
          if (until - since > largest) {
            const shorter = afterTooLarge(position);
            expect(shorter).toBeDefined();
            position = shorter ?? position;
          } else {
            const next = afterPeriod(position, until);
            expect(next.judgedMs).toBeGreaterThanOrEqual(position.judgedMs ?? 0);
            position = next;
            since = until;
          }
          period = nextPeriod(position, since, now);
        }
        expect([since, position.judgedMs]).toEqual([now, now]);
      }
    }),
    { numRuns: 30 },
  );
});

test('a period keeps whole milliseconds after any number of too large queries, as the query requires', () => {
  for (let position = afterTooLarge(FIRST_POSITION); position !== undefined; position = afterTooLarge(position))
    expect(position.periodMs).toBe(Math.floor(position.periodMs));
});

test('does not shorten a query over one minute', () => {
  expect(afterTooLarge({ judgedMs: NOW, periodMs: 60_000 })).toBeUndefined();
  expect(afterTooLarge({ judgedMs: NOW, periodMs: 100_000 })).toEqual({ judgedMs: NOW, periodMs: 60_000 });
});
