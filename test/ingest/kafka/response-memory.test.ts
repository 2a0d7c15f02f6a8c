import { beforeAll, describe, expect, test } from 'vitest';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { COMPRESSIONS } from '#ingest/kafka/codecs.ts';
import type { KafkaRecord } from '#ingest/kafka/port.ts';
import { randomName, useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { makeTopic, recordingConsumer, testProducer } from './fixture.ts';

let connection: KafkaConnection;

beforeAll(async () => {
  const { brokers } = await useKafka();
  connection = { brokers };
});

const PARTITIONS = 3;
const MESSAGES = 600;
/** More than the memory that garbage collection leaves unused, spread over several responses. */
const message = (i: number) => ({ key: `host-${i}`, value: `${i}:${'x'.repeat(2_000)}`, headers: { n: String(i) } });

/** Reads the topic with small fetches. Returns the copies made by the handler and the memory of each batch. */
async function readAll(topic: string, copiesRecords: boolean) {
  const texts: string[] = [];
  const memories: ArrayBufferLike[] = [];
  const kept: { readonly record: KafkaRecord; readonly text: string }[] = [];
  const textOf = ({ key, value, headers }: KafkaRecord) => `${key}|${value}|${String(headers.n)}`;
  const { consumer, failures } = recordingConsumer(
    {
      connection,
      groupId: randomName('group'),
      topics: [topic],
      fetch: { maxBytes: 100_000, maxBytesPerPartition: 100_000 },
      copiesRecords,
    },
    () => ({
      async batch(_, records) {
        for (const record of records) texts.push(textOf(record));
        const [record] = records;
        if (record?.value != null) {
          memories.push(record.value.buffer);
          kept.push({ record, text: textOf(record) });
        }
      },
    }),
  );
  await consumer.start();
  await waitFor('all records', () => texts.length === MESSAGES);
  expect(failures).toEqual([]);
  const stillSame = kept.filter(({ record, text }) => textOf(record) === text).length;
  return {
    texts: texts.sort(),
    responses: new Set(memories).size,
    batches: memories.length,
    kept: kept.length,
    stillSame,
  };
}

async function filledTopic(compression?: (typeof COMPRESSIONS)[number]): Promise<string> {
  const topic = await makeTopic(connection, { partitions: PARTITIONS });
  const producer = testProducer(connection, compression === undefined ? {} : { compression });
  for (let from = 0; from < MESSAGES; from += 30)
    await producer.send(
      topic,
      Array.from({ length: 30 }, (_, i) => message(from + i)),
    );
  return topic;
}

const expected = Array.from({ length: MESSAGES }, (_, i) => {
  const { key, value } = message(i);
  return `${key}|${value}|${i}`;
}).sort();

describe('records of several partitions, in many responses', () => {
  test('are exact if the handler copies them, and their memory is reused', async () => {
    const read = await readAll(await filledTopic(), true);
    expect(read.texts).toEqual(expected);
    expect(read.batches).toBeGreaterThan(8);
    expect(read.responses).toBeLessThan(read.batches / 2);
    expect(read.stillSame).toBeLessThan(read.kept);
  });

  test('stay unchanged if the handler keeps them', async () => {
    const read = await readAll(await filledTopic(), false);
    expect(read.texts).toEqual(expected);
    expect(read.stillSame).toBe(read.kept);
  });
});

test.each(COMPRESSIONS)('compressed records are exact: %s', async (compression) => {
  const read = await readAll(await filledTopic(compression), true);
  expect(read.texts).toEqual(expected);
});
