import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundJson, measureJson } from '#api/executions/json-size.ts';
import type { JsonValue } from '#api/executions/json-value.ts';

const LIMITS = { maxBytes: 1e6, maxNodes: 1e5, maxDepth: 200 };

test('the size of any value is that of its JSON text', () => {
  const value = fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 });
  fc.assert(
    fc.property(value, (json) => {
      const size = measureJson(json as JsonValue, LIMITS);
      const bytes = Buffer.byteLength(JSON.stringify(json));
      if ('exceeds' in size) throw new Error(`it exceeds ${size.exceeds}`);
      expect(size.bytes).toBe(bytes);
      expect(measureJson([json as JsonValue, json as JsonValue], LIMITS)).toMatchObject({ nodes: 2 * size.nodes + 1 });
    }),
    { numRuns: 500 },
  );
});

test('a bound is at least the size; a value that may be larger or is nested deeply has no bound', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }), fc.nat(200), (json, max) => {
      const bytes = Buffer.byteLength(JSON.stringify(json));
      const bound = boundJson(json as JsonValue, max);
      expect(bound ?? max + 1).toBeGreaterThanOrEqual(Math.min(bytes, max + 1));
      expect(bound ?? 0).toBeLessThanOrEqual(max);
    }),
    { numRuns: 200 },
  );
  expect(boundJson({ host: 'web-1' }, 100)).toBe(2 + (6 * 4 + 2) + 2 + (6 * 5 + 2));
  let nested: JsonValue = 1;
  for (let at = 0; at < 200; at++) nested = [nested];
  expect(boundJson(nested, 1e6)).toBeUndefined();
});

test.each(['x', 'é', '中', '😀', '"', '\\', '\n', '\u0001', '\ud800', 'a\udc00"'])(
  'measures long text of %j exactly',
  (piece) => {
    for (const times of [100, 256, 257, 10_000])
      expect(measureJson(piece.repeat(times), LIMITS)).toMatchObject({
        bytes: Buffer.byteLength(JSON.stringify(piece.repeat(times))),
      });
  },
);

test('counts shared members once for each reference, without additional cost', () => {
  let value: JsonValue = 'x'.repeat(100);
  for (let at = 0; at < 50; at++) value = [value, value];
  expect(measureJson(value, LIMITS)).toEqual({ exceeds: 'bytes' });
  expect(measureJson(value, { ...LIMITS, maxBytes: Number.MAX_SAFE_INTEGER })).toEqual({ exceeds: 'nodes' });
  // Counts distinct values: visiting all 2^50 paths would not end.
  const all = { maxBytes: Number.POSITIVE_INFINITY, maxNodes: Number.POSITIVE_INFINITY, maxDepth: 200 };
  expect(measureJson(value, all)).toMatchObject({ depth: 50 });
});

test('each limit is exact', () => {
  const list = [1, [2, [3]]];
  expect(measureJson(list, { maxBytes: 11, maxNodes: 6, maxDepth: 3 })).toEqual({ bytes: 11, nodes: 6, depth: 3 });
  expect(measureJson(list, { maxBytes: 10, maxNodes: 6, maxDepth: 3 })).toEqual({ exceeds: 'bytes' });
  expect(measureJson(list, { maxBytes: 11, maxNodes: 5, maxDepth: 3 })).toEqual({ exceeds: 'nodes' });
  expect(measureJson(list, { maxBytes: 11, maxNodes: 6, maxDepth: 2 })).toEqual({ exceeds: 'depth' });
});

test('limits apply to values that were measured before', () => {
  const large = Array.from({ length: 1_000 }, (_, at) => `value ${at}`);
  const size = measureJson(large, LIMITS);
  if ('exceeds' in size) throw new Error('it is within the limits');
  expect(measureJson([large, large], { ...LIMITS, maxBytes: 2 * size.bytes })).toEqual({ exceeds: 'bytes' });
  expect(measureJson([large, large], { ...LIMITS, maxNodes: 2_000 })).toEqual({ exceeds: 'nodes' });
  expect(measureJson([large], { ...LIMITS, maxDepth: 1 })).toEqual({ exceeds: 'depth' });
});
