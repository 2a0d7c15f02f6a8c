import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { createEventConsumer } from '#ingest/kafka/consumer.ts';
import type { EventProducer } from '#ingest/kafka/port.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { LOOPBACK, type Place } from '../support/place.ts';
import { QUIET_LOG } from '../support/quiet-log.ts';
import { randomName } from '../support/random-name.ts';
import { type KafkaCluster, startKafkaCluster } from '../support/services/kafka-cluster.ts';
import { temporaryFolder } from '../support/services/temporary-folder.ts';
import { fleetRecord } from './fleet-events.ts';
import { cpuSeconds } from './processes.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

const EVENTS = 200_000;
const BATCH = 2_000;
const PARTITIONS = 6;
/** After one warm-up round of each. */
const ROUNDS = 3;
const COPIES = [1, 3] as const;

/**
 * Processor time of three brokers for an event that is sent, replicated and read once: topics with one replica and with
 * three, in alternating rounds. The brokers run on loopback addresses.
 */
export function benchBrokerCopies(): Promise<BenchRow[]> {
  return temporaryFolder('broker-copies', async (home) => {
    const places = [11, 12, 13].map((last): Place => ({ ...LOOPBACK, address: `127.0.0.${last}` }));
    const cluster = await startKafkaCluster({ places, home, optimizing: true });
    const producer = createEventProducer({ log: QUIET_LOG }, { connection: { brokers: cluster.brokers } });
    const costs = new Map(COPIES.map((copies) => [copies, [] as number[]]));
    try {
      for (let round = 0; round <= ROUNDS; round++)
        for (const [copies, measured] of costs) {
          const cost = await measure(cluster, producer, copies);
          if (round > 0) measured.push(cost);
        }
    } finally {
      await producer.close();
      await cluster.stop();
    }
    const [one = 0, three = 0] = COPIES.map((copies) => median(costs.get(copies) ?? []));
    return [ratioRow('processor time of the brokers, three copies against one', 'µs/event', three, one, null)];
  });
}

/** Processor time of all brokers per event, in microseconds. */
async function measure(cluster: KafkaCluster, producer: EventProducer, copies: number): Promise<number> {
  const topic = randomName(`copies-${copies}`);
  const admin = createKafkaAdmin({ log: QUIET_LOG }, { brokers: cluster.brokers });
  await admin.ensureTopics([{ topic, partitions: PARTITIONS, replicationFactor: copies }]);
  await admin.close();
  const pids = await Promise.all(cluster.nodes.map((node) => node.pid()));
  const spent = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const before = spent();
  const reading = readAll(cluster.brokers, topic);
  for (let from = 0; from < EVENTS; from += BATCH)
    await producer.send(
      topic,
      Array.from({ length: BATCH }, (_, index) => fleetRecord(from + index)),
    );
  await reading;
  return ((spent() - before) * 1e6) / EVENTS;
}

/** Resolves when all events of the topic have been read. */
async function readAll(brokers: readonly string[], topic: string): Promise<void> {
  const done = Promise.withResolvers<void>();
  let read = 0;
  const consumer = createEventConsumer(
    {
      log: QUIET_LOG,
      handlers: {
        assigned: async () => {},
        batch: async (_partition, records) => {
          read += records.length;
          if (read >= EVENTS) done.resolve();
        },
        failed: done.reject,
      },
    },
    { connection: { brokers }, groupId: randomName('copies'), topics: [topic] },
  );
  try {
    await Promise.all([consumer.start(), done.promise]);
  } finally {
    await consumer.stop();
  }
}
