import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInstant, parseTimestamp, readTimestamp } from '#schemas/events/timestamp.ts';
import { arbTimestamp } from '#test/support/arbitrary-events.ts';

const at = (iso: string, nanos = 0) => ({ seconds: Date.parse(iso) / 1000, nanos });

describe('results', () => {
  test.each([
    ['2026-03-01T08:15:30Z', at('2026-03-01T08:15:30Z')],
    ['2026-03-01t08:15:30z', at('2026-03-01T08:15:30Z')],
    ['2026-03-01T08:15:30+05:45', at('2026-03-01T02:30:30Z')],
    ['2026-03-01T08:15:30-23:59', at('2026-03-02T08:14:30Z')],
    ['2026-03-01T08:15:30-00:00', at('2026-03-01T08:15:30Z')],
    ['2026-03-01T08:15:30.000000001Z', at('2026-03-01T08:15:30Z', 1)],
    ['2026-03-01T08:15:30.5Z', at('2026-03-01T08:15:30Z', 500_000_000)],
    // Digits after the ninth are truncated, not rounded.
    ['2026-03-01T08:15:30.9999999999999999Z', at('2026-03-01T08:15:30Z', 999_999_999)],
    ['2024-02-29T00:00:00Z', at('2024-02-29T00:00:00Z')],
    ['2000-02-29T00:00:00Z', at('2000-02-29T00:00:00Z')],
    ['1969-12-31T23:59:59.25Z', { seconds: -1, nanos: 250_000_000 }],
    ['1900-01-01T00:00:00Z', { seconds: -2_208_988_800, nanos: 0 }],
    ['2262-04-11T23:47:16.854775807Z', { seconds: 9_223_372_036, nanos: 854_775_807 }],
    // A leap second counts as the second after it.
    ['2016-12-31T23:59:60Z', at('2017-01-01T00:00:00Z')],
    ['2016-12-31T23:59:60.75Z', at('2017-01-01T00:00:00Z', 750_000_000)],
    ['2016-12-31T18:59:60-05:00', at('2017-01-01T00:00:00Z')],
    ['2017-01-01T05:29:60+05:30', at('2017-01-01T00:00:00Z')],
  ])('reads %s', (text, instant) => {
    expect(readTimestamp(text)).toEqual(instant);
  });

  test.each([
    '',
    '2026-03-01',
    '2026-03-01T08:15Z',
    '2026-03-01T08:15:30',
    '2026-03-01 08:15:30Z',
    '2026-03-01T08:15:30.Z',
    '2026-03-01T08:15:30,5Z',
    '2026-03-01T08:15:30Z ',
    ' 2026-03-01T08:15:30Z',
    '2026-03-01T08:15:30ZZ',
    '2026-03-01T08:15:30+0530',
    '2026-03-01T08:15:30+24:00',
    '2026-03-01T08:15:30+05:60',
    '2026-03-01T08:15:30+05',
    '2026-03-01T08:15:30\u221205:00',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:61Z',
    // A 60th second that is not the last second of a UTC day.
    '2026-01-01T12:00:60Z',
    '2016-12-31T23:59:60+01:00',
    '+02026-03-01T08:15:30Z',
    '20260301T081530.000Z',
    '2026-03-01T08:15:3\u0660Z',
    '1772352930',
  ])('%j is invalid', (text) => {
    expect(readTimestamp(text)).toBe('invalid');
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test.each([
    '0000-01-01T00:00:00Z',
    '1899-12-31T23:59:59.999999999Z',
    '1900-01-01T00:00:00+00:01',
    '2262-04-11T23:47:16.854775808Z',
    '2262-04-12T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('%s is out of range', (text) => {
    expect(readTimestamp(text)).toBe('out_of_range');
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

test('the result for a text does not depend on the previous text', () => {
  const texts = ['2026-03-01T08:15:30Z', 'nonsense', '2026-03-01T08:15:31Z', '1800-01-01T00:00:00Z'];
  const alone = texts.map((text) => readTimestamp(text));
  expect([...texts, ...texts.toReversed()].map((text) => readTimestamp(text))).toEqual([
    ...alone,
    ...alone.toReversed(),
  ]);
});

test('any timestamp of the range agrees with the calendar of the engine', () => {
  fc.assert(
    fc.property(arbTimestamp(), (text) => {
      const instant = parseTimestamp(text);
      // The engine parses three fraction digits and capital letters.
      const plain = text.toUpperCase().replace(/\.\d+/, '');
      const digits = /\.(\d+)/.exec(text)?.[1] ?? '';
      expect(instant).toEqual({ seconds: Date.parse(plain) / 1000, nanos: Number(digits.padEnd(9, '0').slice(0, 9)) });
    }),
  );
});

test('a written timestamp is read as the same instant', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -2_208_988_800, max: 9_223_372_035 }),
      fc.integer({ min: 0, max: 999_999_999 }),
      (seconds, nanos) => {
        const text = formatInstant({ seconds, nanos });
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
        expect(parseTimestamp(text)).toEqual({ seconds, nanos });
      },
    ),
  );
});
