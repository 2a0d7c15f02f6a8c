import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { arbEventText } from '#test/support/arbitrary-events.ts';

const LIMITS = { maxBytes: 1000 };

const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

describe('plain JSON', () => {
  test('decodes to the same bytes', () => {
    const value = bytes('{"a":"ü\u0000日\ufffd"}');
    expect(decodeRecord(value, LIMITS)).toEqual({ ok: true, payload: value, schemaId: undefined });
  });

  test('removes one byte order mark', () => {
    expect(decodeRecord(bytes([0xef, 0xbb, 0xbf], '{}'), LIMITS)).toMatchObject({ payload: bytes('{}') });
    expect(decodeRecord(bytes('\ufeff\ufeff{}'), LIMITS)).toMatchObject({ ok: true, payload: bytes('\ufeff{}') });
  });

  test('preserves any text', () => {
    fc.assert(
      fc.property(arbEventText(), (text) => {
        const value = Buffer.from(text);
        const decoded = decodeRecord(value, { maxBytes: 1 << 20 });
        expect(decoded).toEqual({ ok: true, payload: value, schemaId: undefined });
      }),
      { numRuns: 300 },
    );
  });
});

describe('registry frames', () => {
  test('decodes the id and the payload after it', () => {
    expect(decodeRecord(bytes([0, 0, 0, 1, 0x2a], '{"a":1}'), LIMITS)).toEqual({
      ok: true,
      payload: bytes('{"a":1}'),
      schemaId: 298,
    });
    // The id is unsigned.
    expect(decodeRecord(bytes([0, 0xff, 0xff, 0xff, 0xff], '{}'), LIMITS)).toMatchObject({ schemaId: 4294967295 });
  });

  test('returns the payload as a view into the record, not a copy', () => {
    const value = bytes([0, 0, 0, 0, 1], '{"a":1}');
    const decoded = decodeRecord(value, LIMITS);
    expect(decoded.ok && decoded.payload.buffer).toBe(value.buffer);
  });

  test('removes a byte order mark after the header too', () => {
    expect(decodeRecord(bytes([0, 0, 0, 0, 1, 0xef, 0xbb, 0xbf], '{}'), LIMITS)).toMatchObject({
      payload: bytes('{}'),
      schemaId: 1,
    });
  });

  test.each([1, 2, 3, 4, 5])('%i bytes are cut short', (length) => {
    expect(decodeRecord(Buffer.alloc(length), LIMITS)).toMatchObject({ ok: false, code: 'frame_truncated', path: '$' });
  });
});

describe('refused', () => {
  test('a record without a value or with an empty one', () => {
    expect(decodeRecord(null, LIMITS)).toMatchObject({ ok: false, code: 'empty_record', path: '$' });
    expect(decodeRecord(Buffer.alloc(0), LIMITS)).toMatchObject({ ok: false, code: 'empty_record', path: '$' });
  });

  test('a record one byte above the limit, including the frame header', () => {
    expect(decodeRecord(bytes(`"${'x'.repeat(998)}"`), LIMITS)).toMatchObject({ ok: true });
    expect(decodeRecord(bytes(`"${'x'.repeat(999)}"`), LIMITS)).toMatchObject({ ok: false, code: 'record_too_large' });
    expect(decodeRecord(bytes([0, 0, 0, 0, 1], `"${'x'.repeat(994)}"`), LIMITS)).toMatchObject({
      code: 'record_too_large',
    });
  });
});
