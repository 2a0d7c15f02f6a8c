import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { freePorts } from '#test/support/services/free-ports.mjs';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { startLoadingCoordinator } from '#test/support/services/loading-coordinator.ts';
import { startStallingProxy } from '#test/support/services/stalling-proxy.ts';
import { randomName } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { kcatConsume, makeTopic, numbered, recordingConsumer, silent, testProducer } from './fixture.ts';

/** A broker that only this file uses, because the test kills it. It advertises `proxied`, which forwards to it. */
let broker: Awaited<ReturnType<typeof startKafkaBroker>>;
let connection: KafkaConnection;
let proxied = 0;
let direct = 0;

beforeAll(async () => {
  [proxied = 0, direct = 0] = await freePorts(2);
  broker = await startKafkaBroker({ port: direct, advertisedPort: proxied });
  connection = { brokers: [`127.0.0.1:${proxied}`] };
});
afterAll(() => broker.stop());

async function relay() {
  const proxy = await startStallingProxy(direct, proxied);
  onTestFinished(() => proxy.stop());
  return proxy;
}

test('a consumer that stops fetching is restarted and counted', async () => {
  const proxy = await relay();
  const topic = await makeTopic(connection);
  const got = recordingConsumer({
    connection,
    groupId: randomName('group'),
    topics: [topic],
    sessionTimeoutMs: 2000,
    livenessTimeoutMs: 1500,
  });
  await got.consumer.start();
  proxy.stall();
  await waitFor('the restart', () => got.consumer.stats().livenessRestarts > 0);
  await testProducer(connection).send(topic, numbered(0, 3));
  await waitFor('the records', () => got.records.length === 3);
  expect(got.failures).toEqual([]);
});

test('a consumer that starts before its broker joins when the broker starts, however late', async () => {
  const proxy = await startStallingProxy(direct, proxied);
  const topic = await makeTopic(connection);
  await proxy.stop();
  let attempts = 0;
  const warn = (_fields: object, message: string) => {
    if (message.startsWith('cannot join the Kafka consumer group')) attempts++;
  };
  const config = { connection, groupId: randomName('group'), topics: [topic], tries: 1 };
  const got = recordingConsumer(config, () => ({}), { ...silent, warn });
  const started = got.consumer.start();
  const given = started.catch((error: unknown) => error);
  await waitFor('an attempt', () => attempts > 0);
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
  onTestFinished(() => clock.mockRestore());
  const before = attempts;
  await waitFor('an attempt an hour later', () => attempts > before);
  expect(got.consumer.stats().rebalances).toBe(0);
  await relay();
  expect(await given).toBeUndefined();
  expect(got.consumer.stats().rebalances).toBe(1);
});

test('a consumer waits for a loading coordinator, at the start and later', async () => {
  const coordinator = await startLoadingCoordinator(direct, proxied);
  onTestFinished(() => coordinator.stop());
  const topic = await makeTopic(connection);
  const groupId = randomName('group');
  let attempts = 0;
  const warn = (_fields: object, message: string) => {
    if (message.startsWith('cannot join the Kafka consumer group')) attempts++;
  };
  const got = recordingConsumer({ connection, groupId, topics: [topic], tries: 2 }, () => ({}), {
    ...silent,
    warn,
  });
  coordinator.load();
  const started = got.consumer.start().then(() => 'joined');
  await waitFor('the consumer to give up and to begin again', () => attempts >= 2);
  expect(coordinator.refused.get('JoinGroup')).toBeGreaterThanOrEqual(2);
  coordinator.loaded();
  expect(await started).toBe('joined');
  await testProducer(connection).send(topic, numbered(0, 3));
  await waitFor('the records', () => got.records.length >= 3);

  const before = coordinator.refused.get('Heartbeat') ?? 0;
  coordinator.load();
  expect(await got.consumer.commit({ topic, partition: 0 }, 3)).toBe(false);
  await waitFor('heartbeats to be refused', () => (coordinator.refused.get('Heartbeat') ?? 0) > before);
  coordinator.loaded();
  const at = { topic, partition: 0 };
  await waitFor('a commit to be accepted', () => got.consumer.commit(at, 3));
  await testProducer(connection).send(topic, numbered(3, 3));
  await waitFor('all records', () => new Set(got.values()).size === 6);
  expect(got.failures).toEqual([]);
});

test('the offsets of a group are read as soon as its coordinator has loaded', async () => {
  const coordinator = await startLoadingCoordinator(direct, proxied);
  onTestFinished(() => coordinator.stop());
  const topic = await makeTopic(connection);
  const admin = createKafkaAdmin({ log: silent }, connection);
  onTestFinished(() => admin.close());
  coordinator.load();
  const asked = admin.offsets(topic, randomName('group'));
  await waitFor('a refusal', () => coordinator.refused.has('OffsetFetch'));
  coordinator.loaded();
  expect(await asked).toEqual([{ partition: 0, low: 0, high: 0, committed: undefined }]);
});

test('a coordinator that keeps loading is reported', async () => {
  const coordinator = await startLoadingCoordinator(direct, proxied);
  onTestFinished(() => coordinator.stop());
  const topic = await makeTopic(connection);
  const admin = createKafkaAdmin({ log: silent }, connection);
  onTestFinished(() => admin.close());
  coordinator.load();
  await expect(admin.offsets(topic, randomName('group'))).rejects.toMatchObject({
    kind: 'temporary',
    code: 'GROUP_LOAD_IN_PROGRESS',
  });
});

test('kill -9 and restart of the broker lose and duplicate nothing, and all clients continue', async () => {
  await relay();
  const topic = await makeTopic(connection, { partitions: 2 });
  const got = recordingConsumer({ connection, groupId: randomName('group'), topics: [topic] });
  await got.consumer.start();
  const producer = testProducer(connection);
  let sent = 0;
  let broken = false;
  const send = async (batches: number): Promise<void> => {
    for (let i = 0; i < batches; i++, sent += 50) await producer.send(topic, numbered(sent, 50));
  };
  await send(10);
  const during = send(20).finally(() => {
    broken = true;
  });
  await broker.kill9();
  expect(broken).toBe(false);
  const killedAt = Date.now();
  await broker.restart();
  const upAfter = Date.now() - killedAt;
  await during;
  await send(2);
  const seen = (): number => new Set(got.values()).size;
  await waitFor('every record', () => seen() === sent);
  console.log(`broker back after ${upAfter} ms, everything consumed ${Date.now() - killedAt} ms after its kill`);
  const stored = await kcatConsume([`127.0.0.1:${direct}`], topic);
  expect(stored).toHaveLength(sent);
  expect(await got.consumer.commit({ topic, partition: 0 }, 1)).toBe(true);
  expect(got.failures).toEqual([]);
});
