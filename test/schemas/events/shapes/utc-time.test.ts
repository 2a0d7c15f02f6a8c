import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUtcTimes } from '#schemas/events/shapes/utc-time.ts';
import { formatInstant, parseTimestamp } from '#schemas/events/timestamp.ts';
import { arbTimestamp } from '#test/support/arbitrary-events.ts';

/** The text between other bytes, as in an event. */
function readOf(times: ReturnType<typeof createUtcTimes>, text: string) {
  const memory = Buffer.from(`"${text}",`);
  const view = new DataView(memory.buffer);
  const from = memory.byteOffset + 1;
  return times.read(view, Buffer.from(memory.buffer), from, from + Buffer.byteLength(text));
}

test('a time in UTC with nine digits is read as it is parsed, in any order', () => {
  const times = createUtcTimes();
  const lastWholeDay = 9_223_286_399;
  const arbInstant = fc.record({
    seconds: fc.integer({ min: -2_208_988_800, max: lastWholeDay }),
    nanos: fc.nat(999_999_999),
  });
  fc.assert(
    fc.property(arbInstant, (instant) => {
      expect(readOf(times, formatInstant(instant))).toEqual(instant);
    }),
    { numRuns: 500 },
  );
});

test('equals the parser after any change of a text', () => {
  const times = createUtcTimes();
  const text = '2026-03-01T08:15:30.123456789Z';
  let read = 0;
  for (let at = 0; at < text.length; at += 1) {
    for (let code = 0; code < 128; code += 1) {
      const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
      const instant = readOf(times, changed);
      if (instant === undefined) continue;
      read += 1;
      expect(instant).toEqual(parseTimestamp(changed));
    }
  }
  // Both outcomes occurred.
  expect(read).toBeGreaterThan(100);
  expect(read).toBeLessThan(400);
});

test('other forms are left to the parser', () => {
  const times = createUtcTimes();
  for (const text of [
    '',
    '2026-03-01T08:15:30Z',
    '2026-03-01T08:15:30.12345678Z',
    '2026-03-01T08:15:30.1234567890Z',
    '2026-03-01t08:15:30.123456789Z',
    '2026-03-01T08:15:30.123456789z',
    '2026-03-01T08:15:30.1234+01:00',
    '2016-12-31T23:59:60.000000000Z',
    '2026-02-30T08:15:30.123456789Z',
    '1899-12-31T23:59:59.999999999Z',
    '2262-04-11T23:47:16.854775807Z',
    '2262-04-11T23:47:16.854775808Z',
  ]) {
    expect(readOf(times, text)).toBeUndefined();
  }
  fc.assert(
    fc.property(arbTimestamp(), (text) => {
      const instant = readOf(times, text);
      if (instant !== undefined) expect(instant).toEqual(parseTimestamp(text));
    }),
  );
});
