import { expect, test } from 'vitest';
import { parseMoment } from '#api/http/queries/moment.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const at = (text: string, bound: 'lower' | 'upper' = 'lower') => parseMoment(text, bound, NOW)?.toISOString();

test('times are ISO 8601 or relative to now', () => {
  expect(at('now()')).toBe('2026-06-15T12:00:00.000Z');
  expect(at('now()-7d')).toBe('2026-06-08T12:00:00.000Z');
  expect(at('now() - 90m')).toBe('2026-06-15T10:30:00.000Z');
  expect(at('now()-2w')).toBe('2026-06-01T12:00:00.000Z');
  expect(at('2026-03-01T12:00:00Z')).toBe('2026-03-01T12:00:00.000Z');
  expect(at('2026-03-01T12:00:00.123456+02:00')).toBe('2026-03-01T10:00:00.123Z');
  expect(at('2026-03-01T12:00:00 02:00')).toBe('2026-03-01T10:00:00.000Z');
  expect(at('2026-03-01T12:00')).toBe('2026-03-01T12:00:00.000Z');
});

test('converts a time before all data to one that PostgreSQL accepts', () => {
  expect(at('now()-999999w')).toBe('1900-01-01T00:00:00.000Z');
});

test('a date means its beginning as start and its end as end', () => {
  expect(at('2026-03-01')).toBe('2026-03-01T00:00:00.000Z');
  expect(at('2026-03-01', 'upper')).toBe('2026-03-01T23:59:59.999Z');
});

test('rejects other text', () => {
  for (const text of [
    '',
    'now',
    'now()-',
    'now()-7',
    'now()-7y',
    'now()+1d',
    'now()-9999999d',
    '2026-02-30',
    '2026-3-1',
    '20260301',
    '2026-03-01T25:00:00Z',
    "now()-7d'; DROP",
  ])
    expect(at(text)).toBeUndefined();
});
