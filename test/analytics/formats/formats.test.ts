import { describe, expect, it } from 'vitest';
import { FORMATS, formatsOf, writeRecords } from '#analytics/formats/formats.ts';
import { hexadecimal, parseRegister } from '#analytics/formats/hexadecimal.ts';
import { instantMillis } from '#analytics/formats/millis.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { deadLetter, detection, landed, tampering } from './samples.ts';

describe('the registry of formats', () => {
  it.each([
    ['events', ['table', 'json', 'ndjson', 'csv', 'v1', 'cef', 'ecs', 'ocsf']],
    ['detections', ['table', 'json', 'ndjson', 'csv', 'v1', 'cef', 'ecs', 'ocsf']],
    ['dead-letters', ['table', 'json', 'ndjson', 'csv']],
  ] as const)('knows the formats of %s', (kind, names) => {
    expect(formatsOf(kind)).toEqual(names);
  });

  it('writes one terminated text per record, and a header only for formats with one', () => {
    for (const name of formatsOf('events')) {
      const lines = [...writeRecords(FORMATS[name], 'events', [landed, landed])];
      expect(lines).toHaveLength(FORMATS[name].header ? 3 : 2);
      for (const line of lines) expect(line.endsWith(FORMATS[name].terminator)).toBe(true);
    }
  });

  it('omits a detection without this form', () => {
    expect([...writeRecords(FORMATS.v1, 'detections', [tampering, detection])]).toHaveLength(1);
  });

  it('processes records one by one, so that memory stays constant', () => {
    let made = 0;
    function* endless() {
      for (;;) {
        made++;
        yield landed;
      }
    }
    const lines = writeRecords(FORMATS.ndjson, 'events', endless());
    lines.next();
    lines.next();
    expect(made).toBe(2);
  });

  it('rejects a format that the kind of record does not have', () => {
    expect(() => [...writeRecords(FORMATS.cef, 'dead-letters', [deadLetter])]).toThrow(RangeError);
  });
});

describe('instants', () => {
  it.each([
    [{ seconds: 0, nanos: 0 }, '1970-01-01T00:00:00.000000000Z', 0],
    [{ seconds: -1, nanos: 999_999_999 }, '1969-12-31T23:59:59.999999999Z', -1],
    [{ seconds: -2_208_988_800, nanos: 1 }, '1900-01-01T00:00:00.000000001Z', -2_208_988_800_000],
    [{ seconds: 9_223_372_036, nanos: 854_775_807 }, '2262-04-11T23:47:16.854775807Z', 9_223_372_036_854],
  ])('%j is %s', (time, text, millis) => {
    expect(formatInstant(time)).toBe(text);
    expect(instantMillis(time)).toBe(millis);
  });
});

describe('register values of a dump', () => {
  it.each([
    ['0033:0x7fd70f4f1eec', 0x7fd70f4f1eec],
    ['002b:00007ffd5833d0c0', 0x7ffd5833d0c0],
    ['ffffffffffffffff', 18446744073709551615n],
    ['0x20000000000000', 2n ** 53n],
    ['0000000000000000', 0],
    ['0033:', undefined],
    ['', undefined],
    ['zz', undefined],
    ['10000000000000000', undefined],
    [undefined, undefined],
  ])('%j is %s', (text, value) => {
    expect(parseRegister(text)).toBe(value);
  });

  it('are written with all their digits', () => {
    expect(hexadecimal(18446744073709551615n)).toBe('0xffffffffffffffff');
  });
});
