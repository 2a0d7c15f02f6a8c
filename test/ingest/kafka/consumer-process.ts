// A consumer in its own process, for tests that kill it. Prints one JSON line per event.
import { createEventConsumer } from '#ingest/kafka/consumer.ts';
import { silent } from './silent-log.ts';

const { connection, topic, groupId, sessionTimeoutMs, instanceId, commit } = JSON.parse(process.argv[2] ?? '{}');
const say = (what: object): void => console.log(JSON.stringify(what));
const consumer = createEventConsumer(
  {
    log: silent,
    handlers: {
      async assigned(partitions) {
        say({ assigned: partitions.map(({ partition }) => partition) });
      },
      async batch(partition, records) {
        const last = records.at(-1);
        if (commit && last) await consumer.commit(partition, last.offset + 1);
        say({ records: records.length });
      },
      failed: (error) => say({ failed: String(error) }),
    },
  },
  { connection, topics: [topic], groupId, sessionTimeoutMs, instanceId },
);
await consumer.start();
// Ends with its test.
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
