import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Consumer, createRecordsBatch, type MessagesStream, Reader, readRecordsBatch } from '@platformatic/kafka';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { randomName, useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { makeTopic, numbered, silent, testProducer } from '../fixture.ts';

/*
 * Faults of @platformatic/kafka for which its consumer is not used (docs/decisions/kafka-client.md). When one of these tests fails, the
 * library has corrected the fault, and the decision should be read again.
 */

const SESSION_MS = 6000;
let connection: KafkaConnection;

beforeAll(async () => {
  const { brokers } = await useKafka();
  connection = { brokers };
});

function libraryConsumer(groupId: string, options: { groupInstanceId?: string; maxWaitTime?: number } = {}): Consumer {
  const consumer = new Consumer({
    clientId: 'fault',
    groupId,
    bootstrapBrokers: [...connection.brokers],
    sessionTimeout: SESSION_MS,
    rebalanceTimeout: SESSION_MS,
    heartbeatInterval: 200,
    autocommit: false,
    ...options,
  });
  consumer.on('error' as never, (() => {}) as never);
  onTestFinished(() => consumer.close(true).catch(() => {}));
  return consumer;
}

/** Reads from the committed offset, else from the beginning. Offsets go to `into`. */
async function read(
  consumer: Consumer,
  topic: string,
  into: number[],
): Promise<MessagesStream<Buffer, Buffer, Buffer, Buffer>> {
  const stream = await consumer.consume({
    topics: [topic],
    mode: 'committed',
    fallbackMode: 'earliest',
    autocommit: false,
  });
  stream.on('error', () => {});
  stream.on('data', ({ offset }) => into.push(Number(offset)));
  return stream;
}

function countJoins(consumer: Consumer): () => number {
  let joins = 0;
  consumer.on('consumer:group:join' as never, (() => joins++) as never);
  return () => joins;
}

test('two members under one static name take the group from each other without end', async () => {
  const topic = await makeTopic(connection);
  const groupId = randomName('group');
  const members = [1, 2].map(() => libraryConsumer(groupId, { groupInstanceId: 'same' }));
  const joins = members.map(countJoins);
  for (const member of members) {
    member.topics.track(topic);
    await member.joinGroup({});
  }
  await waitFor('both to have joined ten times', () => joins.every((count) => count() >= 10));
});

test('a commit that is rejected is repeated in the next generation, over the commit of another member', async () => {
  const topic = await makeTopic(connection);
  const groupId = randomName('group');
  await testProducer(connection).send(topic, numbered(0, 100));
  const frozen = libraryConsumer(groupId);
  frozen.topics.track(topic);
  await frozen.joinGroup({});
  // This process stands still for longer than the session, so the group is empty. Another process then commits 80 in it.
  execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', OTHER_MEMBER, JSON.stringify({ connection, topic, groupId })],
    {
      cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    },
  );
  await frozen.commit({ offsets: [{ topic, partition: 0, offset: 10n, leaderEpoch: -1 }] });
  const admin = createKafkaAdmin({ log: silent }, connection);
  onTestFinished(() => admin.close());
  expect((await admin.offsets(topic, groupId))[0]?.committed).toBe(10);
});

const OTHER_MEMBER = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
  import { silent } from '#test/ingest/kafka/silent-log.ts';
  const { connection, topic, groupId } = JSON.parse(process.argv[1]);
  await pause(${SESSION_MS + 1500});
  const admin = createKafkaAdmin({ log: silent }, connection);
  await admin.moveGroup(topic, groupId, new Map([[0, 80]]));
  await admin.close();
`;

test('a fetch of the generation before moves the positions of the new one: records that are not committed are skipped', async () => {
  const topic = await makeTopic(connection);
  const groupId = randomName('group');
  const producer = testProducer(connection);
  await producer.send(topic, numbered(0, 5));
  // The fetch that waits for record 5 lasts longer than the rebalances.
  const consumer = libraryConsumer(groupId, { maxWaitTime: 4000 });
  const joins = countJoins(consumer);
  const seen: number[] = [];
  await read(consumer, topic, seen);
  await waitFor('the records', () => seen.length === 5);
  await consumer.commit({ offsets: [{ topic, partition: 0, offset: 1n, leaderEpoch: -1 }] });
  const before = joins();
  const other = libraryConsumer(groupId);
  other.topics.track(topic);
  await other.joinGroup({});
  await other.leaveGroup();
  await waitFor('both rebalances', () => joins() === before + 2);
  await producer.send(topic, numbered(5, 1));
  await waitFor('record 5', () => seen.includes(5));
  // Records 1 to 4 should have been delivered again before it.
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a record 25 days after the first one of its batch gets a wrong timestamp', () => {
  const first = 1_700_000_000_000n;
  const later = first + 25n * 24n * 3_600_000n;
  const messages = [first, later].map((timestamp) => ({ topic: 'events', value: Buffer.from('x'), timestamp }));
  const { buffer } = createRecordsBatch(messages as unknown as Parameters<typeof createRecordsBatch>[0]);
  const batch = readRecordsBatch(Reader.from(Buffer.from(buffer)));
  expect(batch.firstTimestamp + (batch.records[1]?.timestampDelta ?? 0n)).not.toBe(later);
});
