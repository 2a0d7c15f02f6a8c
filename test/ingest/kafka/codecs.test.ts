import kafkajs from 'kafkajs';
import { compressFrame } from 'lz4-napi';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { COMPRESSION_TYPES, COMPRESSIONS, registerCodecs } from '#ingest/kafka/codecs.ts';
import { maxLz4Bytes } from '#ingest/kafka/lz4-size.ts';
import { compressSnappy, uncompressSnappy } from '#ingest/kafka/snappy-framing.ts';
import { randomName, useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { kcatConsume, kcatProduce, makeTopic, recordingConsumer, testProducer } from './fixture.ts';

const { CompressionCodecs } = kafkajs;
interface KafkaCodec {
  decompress(bytes: Buffer, batch: { lastOffsetDelta: number }): Promise<Buffer>;
}

let connection: KafkaConnection;

beforeAll(async () => {
  const { brokers } = await useKafka();
  connection = { brokers };
});

/** Compressible lines that all differ. 200 of them exceed one block of any codec. */
const lines = Array.from(
  { length: 500 },
  (_, i) => `host-${i % 5}|{"n":${i},"text":"${'segfault at '.repeat(20)}${i}"}`,
);

describe.each(COMPRESSIONS)('%s', (compression) => {
  test('reads records of kcat', async () => {
    const topic = await makeTopic(connection);
    await kcatProduce(connection.brokers, topic, lines, ['-z', compression]);
    const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] });
    await got.consumer.start();
    await waitFor('all lines', () => got.records.length === lines.length);
    expect(got.records.map(({ key, value }) => `${key}|${value}`)).toEqual(lines);
  });

  test('kcat reads what is written, and so do we', async () => {
    const topic = await makeTopic(connection);
    const messages = lines.map((line) => {
      const [key = '', value = ''] = line.split('|');
      return { key, value };
    });
    await testProducer(connection, { compression }).send(topic, messages);
    expect(await kcatConsume(connection.brokers, topic)).toEqual(lines);
    const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] });
    await got.consumer.start();
    await waitFor('all lines', () => got.records.length === lines.length);
    expect(got.records.map(({ key, value }) => `${key}|${value}`)).toEqual(lines);
  });
});

test('codecs may be mixed in one topic, and positions inside a compressed batch hold', async () => {
  const topic = await makeTopic(connection);
  const groupId = randomName('group');
  for (const compression of COMPRESSIONS) await kcatProduce(connection.brokers, topic, lines, ['-z', compression]);
  const first = recordingConsumer({ connection, groupId, topics: [topic] });
  await first.consumer.start();
  await waitFor('all lines', () => first.records.length === 5 * lines.length);
  await first.consumer.commit({ topic, partition: 0 }, 1234);
  await first.consumer.stop();
  const second = recordingConsumer({ connection, groupId, topics: [topic] });
  await second.consumer.start();
  await waitFor('the rest', () => second.records.length === 5 * lines.length - 1234);
  expect(second.records[0]?.offset).toBe(1234);
});

test('a batch that would grow beyond the limit becomes one record, and the next batch is read', async () => {
  const topic = await makeTopic(connection);
  const producer = testProducer(connection, { compression: 'lz4' });
  await producer.send(topic, [{ key: 'a', value: '\0'.repeat(140 * 2 ** 20) }]);
  await producer.send(topic, [{ key: 'b', value: 'next' }]);
  const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] });
  await got.consumer.start();
  await waitFor('both records', () => got.records.length === 2);
  const [bomb, next] = got.records;
  expect(bomb).toMatchObject({ offset: 0, key: null });
  expect(bomb?.value?.length).toBeLessThan(2 ** 20);
  expect(`${next?.offset} ${next?.key} ${next?.value}`).toBe('1 b next');
});

test.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)('a damaged batch of %s becomes its last record', async (name) => {
  registerCodecs();
  const codec = (CompressionCodecs as Record<number, () => KafkaCodec>)[COMPRESSION_TYPES[name]]?.();
  const damaged = Buffer.from('this is not compressed');
  const records = await codec?.decompress(damaged, { lastOffsetDelta: 300 });
  expect(records).toMatchObject({ recordCount: 1 });
  // Length 29, no attributes, timestamp 0, offset 300 (zigzag 600), no key, 22 bytes, no headers.
  const frame = [58, 0, 0, 0xd8, 0x04, 1, 44, ...damaged, 0];
  expect([...(records ?? [])]).toEqual(frame);
});

test('the size of lz4 frames is known before they are decompressed', async () => {
  const bytes = Buffer.alloc(3 * 2 ** 20, 'abc');
  const frame = await compressFrame(bytes);
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 1]);
  const most = maxLz4Bytes(frame);
  expect(most).toBeGreaterThanOrEqual(bytes.length);
  expect(most).toBeLessThan(2 * bytes.length);
  expect(maxLz4Bytes(Buffer.concat([frame, skipped, frame]))).toBe(2 * most);
  expect(() => maxLz4Bytes(Buffer.from('not a frame'))).toThrow('this is not a frame');
  expect(() => maxLz4Bytes(frame.subarray(0, 40))).toThrow(RangeError);
});

test('a batch of more records than an argument list holds is read', async () => {
  const topic = await makeTopic(connection);
  const count = 200_000;
  const tiny = Array.from({ length: count }, (_, i) => `|${i % 10}`);
  const batching = [
    '-z',
    'zstd',
    '-X',
    'linger.ms=2000',
    '-X',
    'batch.num.messages=1000000',
    '-X',
    'batch.size=100000000',
  ];
  const limits = ['-X', 'queue.buffering.max.messages=1000000', '-X', 'message.max.bytes=100000000'];
  await kcatProduce(connection.brokers, topic, tiny, [...batching, ...limits]);
  let largest = 0;
  const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] }, ({ records }) => ({
    async batch(_, batch) {
      largest = Math.max(largest, batch.length);
      for (const record of batch) records.push(record);
    },
  }));
  await got.consumer.start();
  await waitFor('all of them', () => got.records.length === count);
  expect(largest).toBeGreaterThan(125_000);
});

test('snappy: a bare block is read, a damaged or too large one is refused', () => {
  const text = Buffer.from('general protection '.repeat(5000));
  const framed = compressSnappy(text);
  expect(uncompressSnappy(framed, text.length).equals(text)).toBe(true);
  const bareBlock = framed.subarray(20, 20 + framed.readUInt32BE(16));
  expect(uncompressSnappy(bareBlock, text.length).equals(text.subarray(0, 32 * 1024))).toBe(true);
  expect(() => uncompressSnappy(framed, 1000)).toThrow();
  expect(() => uncompressSnappy(framed.subarray(0, framed.length - 1), text.length)).toThrow();
});
