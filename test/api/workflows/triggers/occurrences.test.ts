import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueOccurrence, firstOccurrence, shortestGapMs } from '#api/workflows/triggers/occurrences.ts';
import { eventTypesOf, ScheduleError, triggersOfDefinition } from '#api/workflows/triggers/spec.ts';
import { scheduled } from './trigger-fixture.ts';

const at = (text: string) => Date.parse(text);
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

describe('the schedule of a definition', () => {
  test('accepts lengths, patterns and events', () => {
    expect(triggersOfDefinition(scheduled(undefined))).toEqual([]);
    expect(triggersOfDefinition(scheduled({ every: { minutes: 5 } }))).toEqual([
      { kind: 'schedule', everyMs: 300_000 },
    ]);
    expect(triggersOfDefinition(scheduled({ cron: '0 3 * * *' }))).toEqual([{ kind: 'schedule', cron: '0 3 * * *' }]);
    expect(triggersOfDefinition(scheduled({ after: 'PT30S' }))).toEqual([{ kind: 'after', afterMs: 30_000 }]);
    const [spec] = triggersOfDefinition(
      scheduled({ on: { any: [{ with: { type: 'a.b' } }, { with: { source: 's' } }, { with: { type: 'a.(b|c)' } }] } }),
    );
    expect(spec).toMatchObject({ kind: 'event', mode: 'any' });
    expect(spec && eventTypesOf(spec)).toEqual(['a.b', '*']);
  });

  test.each([
    [{ every: { minutes: 5 }, cron: '* * * * *' }],
    [{ every: 'P1Y' }],
    [{ every: { milliseconds: 10 } }],
    [{ cron: 'at noon' }],
    [{ cron: 'CRON_TZ=Mars/Olympus 0 3 * * *' }],
    [{ cron: '61 * * * *' }],
    [{ on: {} }],
    [{ on: { any: [] } }],
    [{ on: { one: { with: { type: 'a' }, correlate: { host: {} } } } }],
  ])('rejects %j', (schedule) => {
    expect(() => triggersOfDefinition(scheduled(schedule))).toThrow(ScheduleError);
  });
});

describe('times', () => {
  const nightly = { kind: 'schedule', cron: '30 2 * * *' } as const;

  test('use UTC, whatever the clock of the machine shows', () => {
    expect(iso(firstOccurrence(nightly, at('2026-03-29T00:00:00Z')))).toBe('2026-03-29T02:30:00.000Z');
    expect(iso(firstOccurrence(nightly, at('2026-03-29T02:30:00Z')))).toBe('2026-03-30T02:30:00.000Z');
  });

  test('can use a time zone with daylight saving time', () => {
    const spec = { kind: 'schedule', cron: 'CRON_TZ=Europe/Berlin 0 8 * * 1-5' } as const;
    expect(iso(firstOccurrence(spec, at('2026-01-15T12:00:00Z')))).toBe('2026-01-16T07:00:00.000Z');
    expect(iso(firstOccurrence(spec, at('2026-07-17T12:00:00Z')))).toBe('2026-07-20T06:00:00.000Z');
  });

  test('skipped by a clock change run right after it, and repeated ones run once', () => {
    const spec = { kind: 'schedule', cron: 'CRON_TZ=Europe/Berlin 30 2 * * *' } as const;
    const two = (after: string) => {
      const first = firstOccurrence(spec, at(after));
      return [iso(first), iso(firstOccurrence(spec, first ?? 0))];
    };
    expect(two('2026-03-28T12:00:00Z')).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']);
    expect(two('2026-10-24T12:00:00Z')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
    const late = dueOccurrence(spec, at('2026-10-25T00:30:00Z'), at('2026-10-25T01:45:00Z'));
    expect({ ...late, at: iso(late.at), next: iso(late.next) }).toEqual({
      ...{ at: '2026-10-25T00:30:00.000Z', next: '2026-10-26T01:30:00.000Z', missed: 0 },
    });
  });

  test('of an hourly schedule include both hours that a clock change repeats', () => {
    const spec = { kind: 'schedule', cron: 'CRON_TZ=Europe/Berlin 0 * * * *' } as const;
    expect(iso(firstOccurrence(spec, at('2026-10-25T00:00:00Z')))).toBe('2026-10-25T01:00:00.000Z');
    expect(iso(firstOccurrence(spec, at('2026-10-25T01:00:00Z')))).toBe('2026-10-25T02:00:00.000Z');
  });

  test('that were missed run once, for the last one', () => {
    const late = dueOccurrence(nightly, at('2026-01-01T02:30:00Z'), at('2026-01-04T12:00:00Z'));
    expect({ ...late, at: iso(late.at), next: iso(late.next) }).toEqual({
      at: '2026-01-04T02:30:00.000Z',
      next: '2026-01-05T02:30:00.000Z',
      missed: 3,
    });
  });

  test('missed every minute for a year cost no work', () => {
    const spec = { kind: 'schedule', cron: '* * * * *' } as const;
    const late = dueOccurrence(spec, at('2025-01-01T00:00:00Z'), at('2026-01-01T00:00:30Z'));
    expect(iso(late.at)).toBe('2026-01-01T00:00:00.000Z');
    expect(iso(late.next)).toBe('2026-01-01T00:01:00.000Z');
    expect(late.missed).toBe(1_000);
  });

  test('that do not recur end the schedule', () => {
    expect(firstOccurrence({ kind: 'schedule', cron: '0 0 30 2 *' }, at('2026-01-01T00:00:00Z'))).toBeUndefined();
  });

  test('follow the interval, and never run early', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 10_000_000 }),
        fc.integer({ min: 0, max: 2 ** 40 }),
        fc.integer({ min: 0, max: 2 ** 40 }),
        (everyMs, due, later) => {
          const now = due + later;
          const { at: done, next, missed } = dueOccurrence({ kind: 'schedule', everyMs }, due, now);
          expect(done).toBeLessThanOrEqual(now);
          expect(next).toBeGreaterThan(now);
          expect(done).toBe(due + missed * everyMs);
          expect(next).toBe(done + everyMs);
        },
      ),
    );
  });
});

test.each([
  [{ every: { seconds: 5 } }, 5_000],
  [{ after: 'PT30S' }, 30_000],
  [{ cron: '*/5 * * * *' }, 300_000],
  [{ cron: '* * * * * *' }, 1_000],
  [{ cron: '0,2 0 12 * * *' }, 2_000],
  [{ cron: '59 59 * * * *' }, 3_600_000],
])('have a minimum interval for %j of %i ms', (schedule, expected) => {
  const [spec] = triggersOfDefinition(scheduled(schedule));
  expect(spec && shortestGapMs(spec, at('2026-05-01T12:00:00Z'))).toBe(expected);
});

test('do not exist for triggers without a clock', () => {
  const [spec] = triggersOfDefinition(scheduled({ on: { one: { with: { type: 'a' } } } }));
  expect(spec && shortestGapMs(spec, 0)).toBeUndefined();
});
