import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvent } from '#schemas/events/read-event.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { arbEventText, arbEventV1 } from '#test/support/arbitrary-events.ts';
import { mutationsOf } from './mutations.ts';

test('any event of the format survives being written and read', () => {
  fc.assert(
    fc.property(arbEventV1(2), (event) => {
      const text = stringifyExact(event);
      const result = readEvent(text);
      expect(result).toMatchObject({ ok: true, time: parseTimestamp(event.timestamp) });
      expect(result.ok && stringifyExact(result.event)).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

test('white space between tokens changes nothing', () => {
  fc.assert(
    fc.property(arbEventText(), (text) => {
      const result = readEvent(text);
      expect(result).toMatchObject({ ok: true });
      expect(result.ok && stringifyExact(result.event)).toBe(text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1'));
    }),
    { numRuns: 500 },
  );
});

test('any single violation is rejected with its code and path', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(arbEventV1(1), fc.nat(), (event, choice) => {
      const mutations = mutationsOf(event);
      const mutation = mutations[choice % mutations.length] as (typeof mutations)[number];
      const result = readEvent(mutation.text);
      expect(result.ok ? 'accepted' : { code: result.code, path: result.path }).toEqual({
        code: mutation.code,
        path: mutation.path,
      });
      seen.add(mutation.code);
    }),
    { numRuns: 1500 },
  );
  expect([...seen].sort()).toEqual([
    'ambiguous_justification',
    'field_missing',
    'integer_out_of_range',
    'invalid_timestamp',
    'negative_integer',
    'not_an_integer',
    'not_in_enumeration',
    'timestamp_out_of_range',
    'unknown_variant',
    'version_missing',
    'version_not_a_string',
    'version_unknown',
    'wrong_type',
  ]);
});
