import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { TOPICS } from '#schemas/topics.ts';
import { QUIET_LOG } from '../support/quiet-log.ts';
import { randomName } from '../support/random-name.ts';
import type { FleetRecord } from './fleet-events.ts';

/** A separate set of topics on the broker. */
export interface Feed {
  /** Prefix of the topic names: `TRAPLINE_TOPIC_PREFIX`. */
  readonly prefix: string;
  readonly topic: string;
  readonly partitions: number;
  readonly brokers: readonly string[];
  /** Sends `count` records, numbered from `first`. Resolves when the broker has stored them. */
  fill(first: number, count: number, record: (index: number) => FleetRecord): Promise<void>;
  /** Deletes the topics. */
  close(): Promise<void>;
}

const AT_ONCE = 20_000;

export async function createFeed(brokers: readonly string[], partitions: number): Promise<Feed> {
  const prefix = `${randomName('bench')}.`;
  const names = [TOPICS.events, TOPICS.detections, TOPICS.deadLetters].map((name) => prefix + name);
  const [topic = '', ...others] = names;
  const admin = createKafkaAdmin({ log: QUIET_LOG }, { brokers });
  await admin.ensureTopics([{ topic, partitions }, ...others.map((name) => ({ topic: name, partitions: 1 }))]);
  const producer = createEventProducer({ log: QUIET_LOG }, { connection: { brokers } });
  return {
    prefix,
    topic,
    partitions,
    brokers,
    async fill(first, count, record) {
      for (let from = first; from < first + count; from += AT_ONCE) {
        const size = Math.min(AT_ONCE, first + count - from);
        await producer.send(
          topic,
          Array.from({ length: size }, (_, i) => record(from + i)),
        );
      }
    },
    async close() {
      await producer.close();
      await admin.deleteTopics(names);
      await admin.close();
    },
  };
}
