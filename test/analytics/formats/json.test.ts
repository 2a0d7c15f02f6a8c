import { describe, expect, it } from 'vitest';
import { FORMATS } from '#analytics/formats/formats.ts';
import { deadLetter, detection, events, landed, record, tampering } from './samples.ts';

describe.each(['json', 'ndjson'] as const)('%s', (name) => {
  const format = FORMATS[name];

  it('contains the original event, including all digits and unknown fields', () => {
    const raw =
      '{"version":"V1","timestamp":"2026-01-01T00:00:00Z",\r\n "event":{"ip":18446744073709551614,"x":1.0e3}}';
    const line = format.event?.({ ...landed, raw }) ?? '';
    expect(line).toContain(`"event":${raw.replace('\r\n', '  ')}}`);
    expect(JSON.parse(line)).toMatchObject({
      id: 'events.v1~3~42',
      topic: 'events.v1',
      partition: 3,
      offset: 42,
      received: '2023-11-14T22:13:20.000Z',
      time: '1974-12-31T00:00:00.123456789Z',
      hex: {
        ip: '0xfffffffffffffffe',
        sp: '0x7ffd5833d0c0',
        location: '0xffffffffffffffff',
        vmastart: '0x561bc8d8f000',
      },
    });
  });

  it('omits origin and receipt when the event has neither', () => {
    const line = JSON.parse(format.event?.(record(events.configMismatch)) ?? '');
    expect(Object.keys(line)).toEqual(['time', 'hex', 'event']);
  });

  it('writes bigints of a detection as digits', () => {
    const probe = { ...events.registerProbe, justification: { EventCount: 2n ** 64n - 1n } };
    const event = { version: 'V1', timestamp: '2026-01-01T00:00:00Z', event: probe } as const;
    expect(format.detection?.({ ...detection, event })).toContain('"EventCount":18446744073709551615');
  });

  it.each([
    [Buffer.from('{"a":\0}'), 'utf8', '{"a":\0}'],
    [Buffer.from('\ufeffx'), 'utf8', '\ufeffx'],
    [Buffer.from([0xff, 0xfe]), 'base64', '//4='],
    [Buffer.alloc(0), 'utf8', ''],
  ])('names the encoding %j of the payload of a dead letter', (raw, rawEncoding, text) => {
    const line = format.deadLetter?.({ ...deadLetter, raw }) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      topic: 'events.v1',
      offset: 7,
      code: 'malformed_json',
      raw: text,
      rawEncoding,
      redriven: null,
    });
    expect(line).not.toMatch(/[\r\n\0]/);
  });
});

describe('v1', () => {
  it('is the original text on one line', () => {
    const raw = Buffer.from('{ "version" : "V1",\n"timestamp":"x\\n" }');
    expect(FORMATS.v1.event?.({ ...landed, raw })).toBe('{ "version" : "V1", "timestamp":"x\\n" }');
  });

  it('returns the RegisterProbe event of a detection, and undefined without one', () => {
    expect(JSON.parse(FORMATS.v1.detection?.(detection) ?? '')).toEqual(detection.event);
    expect(FORMATS.v1.detection?.(tampering)).toBeUndefined();
  });
});
