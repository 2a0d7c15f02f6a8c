import { beforeAll, expect, test } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { randomName, useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { makeTopic, numbered, recordingConsumer, silent, testProducer } from './fixture.ts';

let connection: KafkaConnection;
/** Short enough that a handler can exceed it, long enough that heartbeats survive a machine that stalls for a while. */
const SESSION_MS = 5_000;

beforeAll(async () => {
  const { brokers } = await useKafka();
  connection = { brokers };
});

test('records arrive with key, value, headers and exact offsets, in order', async () => {
  const topic = await makeTopic(connection);
  await testProducer(connection).send(topic, [
    { key: 'host-1', value: Buffer.from([0, 255, 1]), headers: { 'ingest-id': 'a', constructor: 'b' } },
    { key: null, value: 'second' },
  ]);
  const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] });
  await got.consumer.start();
  await waitFor('both records', () => got.records.length === 2);
  const [first, second] = got.records;
  expect(first).toMatchObject({
    topic,
    partition: 0,
    offset: 0,
    key: Buffer.from('host-1'),
    value: Buffer.from([0, 255, 1]),
  });
  expect(String(first?.headers['ingest-id'])).toBe('a');
  // The published client responds to this name with a function of Object.prototype.
  expect(String(first?.headers.constructor)).toBe('b');
  expect(second).toMatchObject({ offset: 1, key: null });
  expect(got.assignments).toEqual([[{ topic, partition: 0 }]]);
  expect(got.consumer.highWatermark({ topic, partition: 0 })).toBe(2);
  expect(got.consumer.stats()).toMatchObject({ assigned: 1, rebalances: 1, livenessRestarts: 0 });
});

test('a consumer continues at the committed offset, and commits nothing automatically', async () => {
  const topic = await makeTopic(connection);
  const groupId = randomName('group');
  await testProducer(connection).send(topic, numbered(0, 10));
  const first = recordingConsumer({ connection, groupId, topics: [topic] });
  await first.consumer.start();
  await waitFor('ten records', () => first.records.length === 10);
  expect(await first.consumer.commit({ topic, partition: 0 }, 4)).toBe(true);
  await first.consumer.stop();
  const second = recordingConsumer({ connection, groupId, topics: [topic] });
  await second.consumer.start();
  await waitFor('the rest', () => second.records.length === 6);
  expect(second.records.map(({ offset }) => offset)).toEqual([4, 5, 6, 7, 8, 9]);
  const admin = createKafkaAdmin({ log: silent }, connection);
  expect(await admin.offsets(topic, groupId)).toEqual([{ partition: 0, low: 0, high: 10, committed: 4 }]);
  await admin.close();
});

test('commits for partitions of other members, and of a stopped consumer, are rejected', async () => {
  const topic = await makeTopic(connection);
  const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] });
  expect(await got.consumer.commit({ topic, partition: 0 }, 1)).toBe(false);
  await got.consumer.start();
  expect(await got.consumer.commit({ topic, partition: 7 }, 1)).toBe(false);
  expect(await got.consumer.commit({ topic, partition: 0 }, 0)).toBe(true);
  await got.consumer.stop();
  expect(await got.consumer.commit({ topic, partition: 0 }, 1)).toBe(false);
});

test('no batch is delivered before the assignment is handled, and the group stays stable until then', async () => {
  const topic = await makeTopic(connection);
  await testProducer(connection).send(topic, numbered(0, 3));
  const { promise: rebuilt, resolve } = Promise.withResolvers<void>();
  const got = recordingConsumer(
    { connection, groupId: randomName('group'), topics: [topic], sessionTimeoutMs: SESSION_MS },
    ({ assignments }) => ({
      async assigned(partitions) {
        assignments.push([...partitions]);
        await rebuilt;
      },
    }),
  );
  await got.consumer.start();
  // Longer than the session timeout: only heartbeats keep the member in the group.
  const started = Date.now();
  await waitFor('more than the session time-out', () => Date.now() - started > SESSION_MS + 1_000);
  expect(got.records).toEqual([]);
  resolve();
  await waitFor('the records', () => got.records.length === 3);
  expect(got.assignments).toHaveLength(1);
});

test('a batch that takes longer than the session does not lose the partition', async () => {
  const topic = await makeTopic(connection);
  const groupId = randomName('group');
  await testProducer(connection).send(topic, numbered(0, 3));
  const { promise: landed, resolve } = Promise.withResolvers<void>();
  const got = recordingConsumer(
    { connection, groupId, topics: [topic], sessionTimeoutMs: SESSION_MS },
    ({ records }) => ({
      async batch(_, batch) {
        records.push(...batch);
        await landed;
      },
    }),
  );
  await got.consumer.start();
  await waitFor('the batch', () => got.records.length === 3);
  const started = Date.now();
  await waitFor('more than the session time-out', () => Date.now() - started > SESSION_MS + 1_000);
  resolve();
  expect(await got.consumer.commit({ topic, partition: 0 }, 3)).toBe(true);
  expect(got.assignments).toHaveLength(1);
  expect(got.records).toHaveLength(3);
});

test('a paused partition delivers nothing while others continue, and resumes at its position', async () => {
  const topic = await makeTopic(connection, { partitions: 2 });
  const producer = testProducer(connection);
  const messages = numbered(0, 40);
  await producer.send(topic, messages);
  const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] });
  await got.consumer.start();
  await waitFor('all', () => got.records.length === 40);
  got.consumer.pause({ topic, partition: 0 });
  await producer.send(topic, numbered(40, 400));
  const of = (partition: number) => got.records.filter((record) => record.partition === partition);
  const before = of(0).length;
  await waitFor('the other partition', () => of(1).length > 40 / 2 && got.records.length > 60);
  expect(of(0)).toHaveLength(before);
  got.consumer.pause({ topic, partition: 1 });
  got.consumer.resume({ topic, partition: 0 });
  await waitFor('everything', () => got.records.length === 440);
  for (const partition of [0, 1])
    expect(of(partition).map(({ offset }) => offset)).toEqual(of(partition).map((_, i) => i));
});

test('a handler that throws ends the consumer with nothing committed', async () => {
  const topic = await makeTopic(connection);
  const groupId = randomName('group');
  const producer = testProducer(connection);
  await producer.send(topic, numbered(0, 5));
  const broken = new Error('a fault of ours');
  const got = recordingConsumer({ connection, groupId, topics: [topic] }, () => ({
    batch: () => Promise.reject(broken),
  }));
  await got.consumer.start();
  await waitFor('the failure', () => got.failures.length > 0);
  expect(got.failures).toEqual([broken]);
  expect(await got.consumer.commit({ topic, partition: 0 }, 5)).toBe(false);
  const next = recordingConsumer({ connection, groupId, topics: [topic] });
  await next.consumer.start();
  await waitFor('the same records', () => next.records.length === 5);
});

test('a record of 5 MiB is fetched, though it is larger than a fetch', async () => {
  const topic = await makeTopic(connection, { config: { 'max.message.bytes': String(8 * 1024 * 1024) } });
  const large = Buffer.alloc(5 * 1024 * 1024, 'x');
  const producer = testProducer(connection);
  await producer.send(topic, [...numbered(0, 3), { key: 'large', value: large }, ...numbered(3, 3)]);
  const got = recordingConsumer({
    connection,
    groupId: randomName('group'),
    topics: [topic],
    fetch: { maxBytes: 1024 * 1024, maxBytesPerPartition: 256 * 1024 },
  });
  await got.consumer.start();
  await waitFor('all', () => got.records.length === 7);
  expect(got.records[3]?.value?.equals(large)).toBe(true);
});

test('a missing topic is reported at the start', async () => {
  const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [randomName('missing')] });
  await expect(got.consumer.start()).rejects.toMatchObject({
    name: 'KafkaFailure',
    code: 'UNKNOWN_TOPIC_OR_PARTITION',
  });
});
