import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteBudget } from '#api/http/byte-budget.ts';
import { readBody } from '#api/http/read-body.ts';

test('whatever becomes of bodies, the budget is whole again afterwards', async () => {
  const body = fc.record({ bytes: fc.uint8Array({ maxLength: 400 }), gzip: fc.boolean(), cut: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 8 }), async (bodies) => {
      const budget = createByteBudget(1000);
      const reads = bodies.map(async ({ bytes, gzip, cut }) => {
        const sent = gzip ? gzipSync(bytes) : Buffer.from(bytes);
        const chunks = [sent.subarray(0, 7), sent.subarray(7, Math.max(7, sent.length - cut))].filter(
          ({ length }) => length > 0,
        );
        const read = await readBody(Readable.from(chunks, { objectMode: false }), gzip ? 'gzip' : undefined, {
          maxBodyBytes: 300,
          budget,
        });
        read.release();
        read.release(); // once too often does no harm
      });
      await Promise.allSettled(reads);
      expect(budget.take(1000)).toBe(true);
      expect(budget.take(1)).toBe(false);
    }),
    { numRuns: 100 },
  );
});
