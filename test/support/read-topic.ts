import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { createEventConsumer } from '#ingest/kafka/consumer.ts';
import type { KafkaRecord } from '#ingest/kafka/port.ts';
import { QUIET_LOG } from './quiet-log.ts';
import { randomName } from './use-services.ts';
import { waitFor } from './wait-for.ts';

/** Returns all current records of a topic, by partition and offset. */
export async function readTopic(brokers: readonly string[], topic: string): Promise<KafkaRecord[]> {
  const admin = createKafkaAdmin({ log: QUIET_LOG }, { brokers });
  const groupId = randomName('reader');
  // A broker that has just started returns no coordinator for a while.
  const offsets = await waitFor('the ends of the topic', () => admin.offsets(topic, groupId));
  const ends = offsets.filter(({ low, high }) => high > low);
  await admin.close();
  const missing = new Map(ends.map(({ partition, high }) => [partition, high]));
  const records: KafkaRecord[] = [];
  const done = Promise.withResolvers<void>();
  if (missing.size === 0) return records;
  const consumer = createEventConsumer(
    {
      log: QUIET_LOG,
      handlers: {
        assigned: async () => {},
        batch: async ({ partition }, batch) => {
          records.push(...batch);
          const last = batch.at(-1);
          if (last !== undefined && last.offset + 1 >= (missing.get(partition) ?? 0)) missing.delete(partition);
          if (missing.size === 0) done.resolve();
        },
        failed: done.reject,
      },
    },
    { connection: { brokers }, groupId, topics: [topic] },
  );
  try {
    await Promise.all([consumer.start(), done.promise]);
  } finally {
    await consumer.stop();
  }
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}
