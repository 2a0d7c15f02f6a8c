import { describe, expect, test } from 'vitest';
import { bucketsOf, timeRangeQuery } from '#api/telemetry/dashboard/time-range.ts';

const NOW = Date.parse('2026-02-02T12:34:56.789Z');
const parsed = (query: object) => bucketsOf(timeRangeQuery.parse(query), NOW);

test('uses the last 24 hours without a range', () => {
  expect(parsed({})).toEqual({
    fromMs: Date.parse('2026-02-01T12:30:00Z'),
    toMs: Date.parse('2026-02-02T12:35:00Z'),
    stepSeconds: 300,
  });
});

test.each([
  ['an hour', '2026-02-02T11:00:00Z', 60],
  ['a day', '2026-02-01T12:00:00Z', 300],
  ['a week', '2026-01-26T12:00:00Z', 3_600],
  ['a month', '2026-01-02T12:00:00Z', 3_600 * 6],
  ['a year', '2025-02-02T12:35:00Z', 86_400],
])('divides %s into at most some hundred buckets', (_, from, stepSeconds) => {
  const buckets = parsed({ from });
  expect(buckets.stepSeconds).toBe(stepSeconds);
  expect((buckets.toMs - buckets.fromMs) / (stepSeconds * 1_000)).toBeLessThan(370);
});

test('accepts bounds relative to now, as in lists', () => {
  const { from, to } = timeRangeQuery.parse({ from: 'now()-2d', to: 'now()-1d' });
  expect(Number(to) - Number(from)).toBeCloseTo(86_400_000, -2);
});

test('a range into the future ends now', () => {
  expect(parsed({ from: '2026-02-02T12:00:00Z', to: '9999-12-31T23:59:59Z' }).toMs).toBe(
    Date.parse('2026-02-02T12:35:00Z'),
  );
});

describe('rejects', () => {
  test.each([
    ['an end before the beginning', { from: '2026-02-02T11:00:00Z', to: '2026-02-01T11:00:00Z' }],
    ['a range of the future', { from: '2027-01-01T00:00:00Z' }],
    ['more than a year', { from: '2024-01-01T00:00:00Z' }],
    ['what is older than everything', { from: '0001-01-01T00:00:00Z', to: '0001-02-01T00:00:00Z' }],
    ['an end that is older than everything', { to: '1969-01-01T00:00:00Z' }],
  ])('%s', (_, query) => {
    expect(() => parsed(query)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });

  test.each([{ from: 'yesterday' }, { from: '2026-02-30T00:00:00Z' }, { form: '2026-02-02T11:00:00Z' }])(
    '%j',
    (query) => {
      expect(timeRangeQuery.safeParse(query).success).toBe(false);
    },
  );
});
