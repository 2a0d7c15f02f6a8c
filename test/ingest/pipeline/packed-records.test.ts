import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryPool, type MemoryPool } from '#ingest/pipeline/memory-pool.ts';
import { type PackedChunk, packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import type { PipelineRecord } from '#ingest/pipeline/pipeline-record.ts';

const bytes = fc.option(fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)));
const record = fc.record({
  offset: fc.maxSafeNat(),
  key: bytes,
  value: bytes,
  ingestId: fc.oneof(fc.constant(''), fc.string()),
});

const pack = (records: readonly PipelineRecord[], pool: MemoryPool = createMemoryPool(0)) =>
  readPacked(packRecords(records, pool), pool.release);

it('returns every record unchanged', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 40 }), (records) => {
      const packed = pack(records);
      expect(packed.length).toBe(records.length);
      for (const [i, { offset, key, value, ingestId }] of records.entries()) {
        expect(packed.offset(i)).toBe(offset);
        expect(packed.key(i)).toEqual(key);
        expect(packed.value(i)).toEqual(value);
        expect(packed.ingestId(i)).toBe(ingestId);
        if (value === null) continue;
        const { memory, from, to } = packed.stored(i);
        expect(memory.subarray(to - value.length, to)).toEqual(value);
        expect(to - value.length - from).toBe(value.length < 128 ? 1 : 2);
      }
    }),
  );
});

it('retains neither the records nor their memory', () => {
  const value = Buffer.from('{"a":1}');
  const packed = pack([{ offset: 0, key: null, value, ingestId: '' }]);
  value.fill(0);
  expect(String(packed.value(0))).toBe('{"a":1}');
});

it('reuses its memory for later records only after it is released', () => {
  const pool = createMemoryPool(2 ** 20);
  const fill = (character: string) =>
    pack([{ offset: 0, key: null, value: Buffer.alloc(100_000, character), ingestId: '' }], pool);
  const first = fill('1');
  const second = fill('2');
  expect(String(first.value(0))).toBe('1'.repeat(100_000));
  first.release();
  const third = fill('3');
  expect(third.stored(0).memory.buffer === first.stored(0).memory.buffer).toBe(true);
  expect(String(second.value(0))).toBe('2'.repeat(100_000));
});

it('is read in another thread like in its own', async () => {
  const records = [
    { offset: 7, key: Buffer.from('host'), value: Buffer.alloc(50_000, 'x'), ingestId: 'a/1' },
    { offset: 9, key: null, value: null, ingestId: '' },
  ];
  const { port1, port2 } = new MessageChannel();
  const arrived = once(port2, 'message');
  port1.postMessage(packRecords(records, createMemoryPool(2 ** 20)));
  const [chunk] = (await arrived) as [PackedChunk];
  const read = readPacked(chunk, () => {});
  expect(
    records.map((_, i) => ({
      offset: read.offset(i),
      key: read.key(i),
      value: read.value(i),
      ingestId: read.ingestId(i),
    })),
  ).toEqual(records);
  port1.close();
});
