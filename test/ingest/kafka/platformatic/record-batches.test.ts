import { createRecordsBatch } from '@platformatic/kafka';
import { expect, test } from 'vitest';
import { uncompressRecords } from '#ingest/kafka/codecs.ts';
import { readRecordBatches, UnreadableBatch } from '#ingest/kafka/platformatic/record-batches.ts';

const AT = { topic: 'events', partition: 3 };
const TRANSACTIONAL = 1 << 4;
const CONTROL = 1 << 5;

interface BatchOptions {
  readonly from?: number;
  readonly compression?: 'gzip' | 'zstd';
  /** Bits of the attributes. */
  readonly flags?: number;
  readonly producerId?: bigint;
  readonly headers?: Map<Buffer, Buffer>;
}

/** A batch by the encoder of the library, at an offset of the broker's choice. */
function batch(values: readonly string[], options: BatchOptions = {}): Buffer {
  const { from = 0, compression, flags = 0, producerId, headers } = options;
  const messages = values.map((value) => ({
    topic: AT.topic,
    partition: AT.partition,
    key: value === 'keyless' ? null : Buffer.from(`key of ${value}`),
    value: value === 'null' ? null : Buffer.from(value),
    ...(headers === undefined ? {} : { headers }),
  }));
  const encoded = createRecordsBatch(
    messages as unknown as Parameters<typeof createRecordsBatch>[0],
    {
      ...(compression === undefined ? {} : { compression }),
      ...(producerId === undefined ? {} : { producerId }),
    } as Parameters<typeof createRecordsBatch>[1],
  );
  const bytes = Buffer.from(encoded.buffer);
  bytes.writeBigInt64BE(BigInt(from), 0);
  bytes.writeInt16BE(bytes.readInt16BE(21) | flags, 21);
  return bytes;
}

const read = (batches: Buffer, wanted = 0, aborted: { producerId: bigint; firstOffset: number }[] = []) =>
  readRecordBatches(AT, { batches, aborted }, wanted, uncompressRecords);

test('records have their offsets, keys and values, of several batches', async () => {
  const { records, nextOffset } = await read(
    Buffer.concat([batch(['a', 'keyless'], { from: 10 }), batch(['null'], { from: 12 })]),
  );
  expect(records.map(({ offset, key, value }) => [offset, key?.toString(), value?.toString()])).toEqual([
    [10, 'key of a', 'a'],
    [11, undefined, 'keyless'],
    [12, 'key of null', undefined],
  ]);
  expect(records[0]).toMatchObject(AT);
  expect(nextOffset).toBe(13);
});

test.each(['gzip', 'zstd'] as const)(
  'a batch that is compressed by %s begins at the wanted offset',
  async (compression) => {
    const { records, nextOffset } = await read(batch(['a', 'b', 'c'], { from: 5, compression }), 6);
    expect(records.map(({ offset, value }) => [offset, value?.toString()])).toEqual([
      [6, 'b'],
      [7, 'c'],
    ]);
    expect(nextOffset).toBe(8);
  },
);

test('a batch that is cut off is read by the next fetch', async () => {
  const whole = batch(['a'], { from: 1 });
  const cut = batch(['b'.repeat(100)], { from: 2 });
  expect(await read(Buffer.concat([whole, cut.subarray(0, 80)]), 1)).toMatchObject({ nextOffset: 2 });
  expect(await read(cut.subarray(0, 20), 2)).toEqual({ records: [], nextOffset: 2 });
});

test('headers keep every value of a name, also of one that objects have', async () => {
  const headers = new Map([
    [Buffer.from('constructor'), Buffer.from('1')],
    [Buffer.from('trace'), Buffer.from('2')],
    [Buffer.from('trace'), Buffer.from('3')],
  ]);
  const [record] = (await read(batch(['a'], { headers }))).records;
  expect(record?.headers).toEqual({ constructor: Buffer.from('1'), trace: [Buffer.from('2'), Buffer.from('3')] });
  const [plain] = (await read(batch(['a']))).records;
  expect(plain?.headers).toEqual({});
});

test('records of aborted transactions and markers are left out, and passed over', async () => {
  const batches = [
    batch(['aborted'], { from: 0, flags: TRANSACTIONAL, producerId: 7n }),
    batch(['other producer'], { from: 1, flags: TRANSACTIONAL, producerId: 8n }),
    batch(['no transaction'], { from: 2, producerId: 7n }),
    batch(['marker'], { from: 3, flags: TRANSACTIONAL | CONTROL, producerId: 7n }),
    batch(['committed'], { from: 4, flags: TRANSACTIONAL, producerId: 7n }),
    batch(['marker'], { from: 5, flags: TRANSACTIONAL | CONTROL, producerId: 7n }),
  ];
  const { records, nextOffset } = await read(Buffer.concat(batches), 0, [{ producerId: 7n, firstOffset: 0 }]);
  expect(records.map(({ value }) => value?.toString())).toEqual(['other producer', 'no transaction', 'committed']);
  expect(nextOffset).toBe(6);
});

test('bytes that are no record batch are refused', async () => {
  const old = batch(['a']);
  old[16] = 1;
  await expect(read(old)).rejects.toThrow(UnreadableBatch);
  const long = batch(['a']);
  // The length of the first record.
  long[61] = 0x7e;
  await expect(read(long)).rejects.toThrow('a record ends after its batch');
});
