import { beforeAll, expect, test } from 'vitest';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { randomName, useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { makeTopic, numbered, type Recorded, recordingConsumer, testProducer } from './fixture.ts';

let connection: KafkaConnection;

beforeAll(async () => {
  const { brokers } = await useKafka();
  connection = { brokers };
});

/**
 * A consumer with the contract of a lane: a record is done when its commit was accepted, and each assignment discards
 * what is not.
 */
function committingConsumer(topic: string, groupId: string): Recorded & { done: Set<string>; doubled: string[] } {
  const done = new Set<string>();
  const doubled: string[] = [];
  const recorded = recordingConsumer({ connection, groupId, topics: [topic] }, ({ records, consumer }) => ({
    async batch(partition, batch) {
      const last = batch.at(-1);
      records.push(...batch);
      if (last === undefined || !(await consumer.commit(partition, last.offset + 1))) return;
      for (const { value } of batch) {
        const text = String(value);
        if (done.has(text)) doubled.push(text);
        done.add(text);
      }
    },
  }));
  return { ...recorded, done, doubled };
}

test('joining and leaving members lose and duplicate no committed record', async () => {
  const topic = await makeTopic(connection, { partitions: 4 });
  const groupId = randomName('group');
  const producer = testProducer(connection);
  const total = 6000;
  const first = committingConsumer(topic, groupId);
  await first.consumer.start();
  let sent = 0;
  const sendTo = async (end: number): Promise<void> => {
    for (; sent < end; sent += 100) await producer.send(topic, numbered(sent, 100));
  };
  const second = committingConsumer(topic, groupId);
  const third = committingConsumer(topic, groupId);
  await Promise.all([sendTo(2000), second.consumer.start()]);
  await Promise.all([sendTo(4000), third.consumer.start()]);
  await Promise.all([sendTo(total), first.consumer.stop()]);
  const done = (): number => new Set([...first.done, ...second.done, ...third.done]).size;
  await waitFor('every record to be committed by one consumer', () => done() === total);
  for (const member of [first, second, third]) expect(member.doubled).toEqual([]);
  expect(first.done.size + second.done.size + third.done.size).toBe(total);
});

test('commits of a partition that moved to another member are rejected', async () => {
  const topic = await makeTopic(connection, { partitions: 2 });
  const groupId = randomName('group');
  const first = recordingConsumer({ connection, groupId, topics: [topic] });
  await first.consumer.start();
  const second = recordingConsumer({ connection, groupId, topics: [topic] });
  await second.consumer.start();
  await waitFor(
    'one partition each',
    () => first.assignments.at(-1)?.length === 1 && second.assignments.at(-1)?.length === 1,
  );
  const [lost] = second.assignments.at(-1) ?? [];
  if (lost === undefined) throw new Error('nothing assigned');
  expect(await first.consumer.commit(lost, 0)).toBe(false);
  expect(await second.consumer.commit(lost, 0)).toBe(true);
});

test('retained partitions are delivered again from the committed offset, and none stays paused', async () => {
  const topic = await makeTopic(connection, { partitions: 2 });
  const groupId = randomName('group');
  const producer = testProducer(connection);
  await producer.send(topic, numbered(0, 100));
  const first = recordingConsumer({ connection, groupId, topics: [topic] });
  await first.consumer.start();
  await waitFor('all', () => first.records.length === 100);
  for (const partition of [0, 1]) {
    await first.consumer.commit({ topic, partition }, 5);
    first.consumer.pause({ topic, partition });
  }
  const second = recordingConsumer({ connection, groupId, topics: [topic] });
  await second.consumer.start();
  await waitFor('the second assignment', () => first.assignments.length === 2);
  const [kept] = first.assignments[1] ?? [];
  const again = (): number[] =>
    first.records
      .slice(100)
      .filter(({ partition }) => partition === kept?.partition)
      .map(({ offset }) => offset);
  const size = first.records.slice(0, 100).filter(({ partition }) => partition === kept?.partition).length;
  await waitFor('the uncommitted ones', () => again().length === size - 5);
  expect(again()).toEqual(Array.from({ length: size - 5 }, (_, i) => i + 5));
});

test('a rebalance does not wait for a slow assignment, and skips outdated ones', async () => {
  const topic = await makeTopic(connection, { partitions: 2 });
  const groupId = randomName('group');
  const { promise: rebuilt, resolve } = Promise.withResolvers<void>();
  await testProducer(connection).send(topic, numbered(0, 20));
  const first = recordingConsumer({ connection, groupId, topics: [topic] }, ({ assignments }) => ({
    async assigned(partitions) {
      assignments.push([...partitions]);
      if (assignments.length === 1) await rebuilt;
    },
  }));
  await first.consumer.start();
  const second = recordingConsumer({ connection, groupId, topics: [topic] });
  await second.consumer.start();
  await second.consumer.stop();
  await waitFor('three generations', () => first.consumer.stats().rebalances === 3);
  expect(first.assignments).toHaveLength(1);
  resolve();
  await waitFor('the records', () => first.records.length >= 20);
  expect(first.assignments.map((partitions) => partitions.length)).toEqual([2, 2]);
});
