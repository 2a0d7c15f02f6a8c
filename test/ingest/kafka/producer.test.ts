import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { createKafkaClient, type KafkaConnection, openDirectly } from '#ingest/kafka/client.ts';
import { isTemporary, isTooLarge } from '#ingest/kafka/failure.ts';
import { randomName, useKafka } from '#test/support/use-services.ts';
import { kcatConsume, makeTopic, numbered, silent, testProducer } from './fixture.ts';

let connection: KafkaConnection;

beforeAll(async () => {
  const { brokers } = await useKafka();
  connection = { brokers };
});

test('a first send to a topic just created is stored once', async () => {
  for (let round = 0; round < 3; round++) {
    const topic = await makeTopic(connection, { partitions: 3 });
    await testProducer(connection).send(topic, numbered(0, 100));
    expect(new Set(await kcatConsume(connection.brokers, topic)).size).toBe(100);
    expect(await kcatConsume(connection.brokers, topic)).toHaveLength(100);
  }
});

test('a send larger than the limit of a request is split into requests, in order', async () => {
  const topic = await makeTopic(connection);
  const messages = numbered(0, 3000).map(({ key, value }) => ({ key, value: value.padEnd(1000) }));
  await testProducer(connection).send(topic, messages);
  const stored = await kcatConsume(connection.brokers, topic);
  expect(stored.map((line) => Number(line.split('|')[1]))).toEqual(messages.map((_, i) => i));
});

test('concurrent sends are stored once each, in the order of the calls', async () => {
  const topic = await makeTopic(connection);
  const producer = testProducer(connection);
  await Promise.all(Array.from({ length: 50 }, (_, i) => producer.send(topic, [{ key: null, value: String(i) }])));
  const stored = await kcatConsume(connection.brokers, topic);
  expect(stored.map((line) => Number(line.split('|')[1]))).toEqual(Array.from({ length: 50 }, (_, i) => i));
});

test('a message above the limit is rejected as too large, and the next one is sent', async () => {
  const topic = await makeTopic(connection);
  const producer = testProducer(connection);
  const error = await producer
    .send(topic, [{ key: null, value: Buffer.alloc(2_000_000) }])
    .catch((caught: unknown) => caught);
  expect(isTooLarge(error)).toBe(true);
  expect(isTemporary(error)).toBe(false);
  await producer.send(topic, numbered(0, 1));
  expect(await kcatConsume(connection.brokers, topic)).toEqual(['host-0|0']);
});

test('a producer continues on other topics after one was deleted', async () => {
  const [doomed, other] = [await makeTopic(connection), await makeTopic(connection)];
  const producer = testProducer(connection);
  await producer.send(doomed, numbered(0, 1));
  const admin = createKafkaAdmin({ log: silent }, connection);
  await admin.deleteTopics([doomed]);
  await admin.close();
  await producer.send(other, numbered(0, 1));
  expect(await kcatConsume(connection.brokers, other)).toHaveLength(1);
});

test('a missing topic is a permanent failure', async () => {
  const error = await testProducer(connection, { tries: 2 })
    .send(randomName('missing'), numbered(0, 1))
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'KafkaFailure', code: 'UNKNOWN_TOPIC_OR_PARTITION', kind: 'permanent' });
});

test('a send after close is rejected as a temporary failure', async () => {
  const producer = testProducer(connection);
  await producer.close();
  const error = await producer.send('any', numbered(0, 1)).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'CLOSED' });
  expect(isTemporary(error)).toBe(true);
});

// Regression: it was refused half a minute later, when the client had given up.
test('a retried send is rejected when its producer was closed', async () => {
  const producer = testProducer({ brokers: ['127.0.0.1:1'] });
  let outcome: unknown = 'none';
  producer.send('any', numbered(0, 1)).catch((error: unknown) => {
    outcome = error;
  });
  await producer.close();
  await setImmediate();
  expect(outcome).toMatchObject({ code: 'CLOSED' });
});

// Regression: a send in flight when its producer was closed reconnected, and kept the process alive for ten minutes,
// until the broker closed the connection.
test('a client that was closed does not connect again', async () => {
  const logged: string[] = [];
  const log = (_fields: object, message: string) => void logged.push(message);
  const client = createKafkaClient(connection, { debug: log, info: log, warn: log, error: log }, 0);
  client.destroy();
  await expect(client.kafka.producer({ retry: { retries: 0 } }).connect()).rejects.toThrow();
  expect(logged).toEqual([]);
});

// Regression: it connected again for half a minute after `detect` had ended, and kept the process alive.
test('a client whose retries were ended does not connect again', async () => {
  let connections = 0;
  const client = createKafkaClient({ brokers: ['127.0.0.1:1'] }, silent, undefined, (...target) => {
    connections += 1;
    client.endRetries();
    return openDirectly(...target);
  });
  await expect(client.kafka.producer().connect()).rejects.toThrow();
  expect(connections).toBe(1);
});

test('topics are created once and described; existing ones stay unchanged', async () => {
  const admin = createKafkaAdmin({ log: silent }, connection);
  const [first, second] = [randomName('topic'), randomName('topic')];
  const config = { 'retention.ms': '1000' };
  expect(await admin.ensureTopics([{ topic: first, partitions: 2, config }])).toEqual([first]);
  expect(
    await admin.ensureTopics([
      { topic: first, partitions: 5 },
      { topic: second, partitions: 1 },
    ]),
  ).toEqual([second]);
  const { brokers, topics } = await admin.describe([first, second, randomName('missing')]);
  expect(brokers).toHaveLength(1);
  expect(topics).toEqual(
    new Map([
      [first, 2],
      [second, 1],
    ]),
  );
  await admin.close();
});
