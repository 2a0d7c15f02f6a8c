import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBodyBudget } from '#api/http/bodies/body-budget.ts';
import { MAX_EXPANSION, type RecordLimits, readRecords } from '#api/http/bodies/read-records.ts';

const CALLER = { principal: 'ada', address: '192.0.2.1' };
const limitsOf = (more: Partial<RecordLimits> = {}): RecordLimits => ({
  maxBodyBytes: 32 * 2 ** 20,
  maxRecords: 50_000,
  budget: createBodyBudget(64 * 2 ** 20),
  ...more,
});
/** Sends the beginning of a body and resolves when it has been read. */
async function arriving(body: PassThrough, text: string): Promise<void> {
  const read = once(body, 'data');
  body.write(text);
  await read;
}
const bodyOf = (bytes: Uint8Array) => Readable.from([Buffer.from(bytes)], { objectMode: false });

test('the budget is complete again after any result of bodies', async () => {
  const body = fc.record({ bytes: fc.uint8Array({ maxLength: 400 }), gzip: fc.boolean(), cut: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 8 }), async (bodies) => {
      const budget = createBodyBudget(2000);
      const reads = bodies.map(async ({ bytes, gzip, cut }, index) => {
        const sent = gzip ? gzipSync(bytes) : Buffer.from(bytes);
        const chunks = [sent.subarray(0, 7), sent.subarray(7, Math.max(7, sent.length - cut))].filter(
          ({ length }) => length > 0,
        );
        const source = Readable.from(chunks, { objectMode: false });
        const limits = limitsOf({ maxBodyBytes: 300, budget });
        const read = await readRecords(source, gzip ? 'gzip' : undefined, limits, {
          principal: String(index % 3),
          address: 'one',
        });
        read.release();
        read.release(); // calling it once too often is harmless
      });
      await Promise.allSettled(reads);
      const taken = ['a', 'b', 'c'].map((name, index) => {
        const claim = budget.open({ principal: name, address: name }, () => {});
        const fits = claim.take(index === 2 ? 1 : 1000);
        claim.complete();
        return fits;
      });
      expect(taken).toEqual([true, true, false]);
    }),
    { numRuns: 100 },
  );
});

describe('a small body that expands', () => {
  /** Regression: 32 KB that expanded to 16.7 million lines ended the process. */
  test('millions of blank lines use no memory', async () => {
    const blank = Buffer.alloc(100_000, '\n');
    const body = gzipSync(Buffer.concat([...Array(160).fill(blank), Buffer.from('{"a":1}\n')]), { level: 1 });
    const { records } = await readRecords(bodyOf(body), 'gzip', limitsOf(), CALLER).catch((error: Error) => ({
      records: [Buffer.from(error.message)],
    }));
    expect(records.map(String)).toEqual([expect.stringContaining(`${MAX_EXPANSION} times its size`)]);
    const plain = await readRecords(
      Readable.from([...Array(160).fill(blank), Buffer.from('{"a":1}\n')], { objectMode: false }),
      undefined,
      limitsOf(),
      CALLER,
    );
    expect(plain.records.map(String)).toEqual(['{"a":1}']);
  });

  test.each([
    ['lines', '1\n'.repeat(50_001)],
    ['elements', `[${Array(50_001).fill(1).join(',')}]`],
    ['empty arrays', `[${Array(50_001).fill('[]').join(',')}]`],
  ])('rejects more %s than permitted with 413, without buffering', async (_, text) => {
    const budget = createBodyBudget(2 ** 30);
    await expect(readRecords(bodyOf(Buffer.from(text)), undefined, limitsOf({ budget }), CALLER)).rejects.toMatchObject(
      { code: 'payload_too_large', message: expect.stringContaining('50000 events') },
    );
    expect(budget.open(CALLER, () => {}).take(2 ** 29)).toBe(true);
  });

  test('accepts the maximum number', async () => {
    const { records } = await readRecords(bodyOf(Buffer.from('1\n'.repeat(50_000))), undefined, limitsOf(), CALLER);
    expect(records).toHaveLength(50_000);
  });

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const)('rejects %s that decompresses to too many times its size with 413', async (encoding, compress) => {
    const repetitive = compress(Buffer.alloc(8 * 2 ** 20, '{"a":"b"}   '));
    await expect(readRecords(bodyOf(repetitive), encoding, limitsOf(), CALLER)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining(`${MAX_EXPANSION} times its size`),
    });
  });

  test('rejects a frame that claims more memory than permitted with 400', async () => {
    // RFC 8878, section 3.1.1: magic number, no content size, a window of 2^27 bytes, a last block of one byte.
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (27 - 10) << 3, 0x09, 0x00, 0x00, 0x31]);
    await expect(readRecords(bodyOf(frame), 'zstd', limitsOf(), CALLER)).rejects.toMatchObject({
      code: 'invalid_value',
    });
  });

  test('counts compressed bytes that decompress to nothing', async () => {
    const nothing = gzipSync('');
    const many = Buffer.concat(Array(500).fill(nothing));
    await expect(readRecords(bodyOf(many), 'gzip', limitsOf({ maxBodyBytes: 5_000 }), CALLER)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  test('does not allocate an object per byte', async () => {
    const body = new PassThrough({ readableHighWaterMark: 1 });
    const read = readRecords(body, undefined, limitsOf(), CALLER);
    for (const byte of `{"a":"${'x'.repeat(2_000)}"}`) body.write(byte);
    body.end();
    expect((await read).records.map(({ length }) => length)).toEqual([2_008]);
  });
});

describe('the budget of bodies', () => {
  test('one caller uses at most half of it, by account and by address', () => {
    const budget = createBodyBudget(100);
    expect(budget.open({ principal: 'ada', address: 'a' }, () => {}).take(50)).toBe(true);
    expect(budget.open({ principal: 'ada', address: 'b' }, () => {}).take(1)).toBe(false);
    expect(budget.open({ principal: 'bob', address: 'a' }, () => {}).take(1)).toBe(false);
    expect(budget.open({ principal: 'bob', address: 'b' }, () => {}).take(50)).toBe(true);
  });

  /** Regression: two stalled uploads blocked all other uploads for minutes. */
  test('evicts stalled bodies for a caller that holds less, the largest first', async () => {
    const budget = createBodyBudget(10_000);
    const limits = limitsOf({ budget });
    const stalled = ['bob', 'eve'].map((principal) => {
      const body = new PassThrough();
      const read = readRecords(body, undefined, limits, { principal, address: principal });
      read.catch(() => {});
      return { body, read, begun: arriving(body, `{"${'x'.repeat(principal === 'bob' ? 4_900 : 4_500)}`) };
    });
    await Promise.all(stalled.map(({ begun }) => begun));
    const honest = await readRecords(bodyOf(Buffer.from(`{"a":"${'x'.repeat(1_000)}"}`)), undefined, limits, CALLER);
    expect(honest.records).toHaveLength(1);
    await expect(stalled[0]?.read).rejects.toMatchObject({ code: 'rate_limited' });
    stalled[1]?.body.end('"}');
    expect((await stalled[1]?.read)?.records).toHaveLength(1);
  });

  test('does not evict a complete body', () => {
    const budget = createBodyBudget(100);
    for (const name of ['ada', 'bob']) {
      const claim = budget.open({ principal: name, address: name }, () => expect.unreachable());
      expect(claim.take(50)).toBe(true);
      claim.complete();
    }
    expect(budget.open({ principal: 'eve', address: 'e' }, () => {}).take(1)).toBe(false);
  });

  test('does not count announced sizes, and returns everything of a broken connection', async () => {
    const budget = createBodyBudget(1_000);
    const body = new PassThrough();
    const read = readRecords(body, undefined, limitsOf({ budget }), CALLER);
    await arriving(body, `{"${'x'.repeat(400)}`);
    body.destroy();
    await expect(read).rejects.toMatchObject({ code: 'invalid_value', message: 'the body was cut short' });
    expect(budget.open(CALLER, () => {}).take(500)).toBe(true);
  });
});
