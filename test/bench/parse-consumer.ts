// The baseline of the pipeline, as a process of its own: the same Kafka client, and of each record only `JSON.parse`.
//   node parse-consumer.ts BROKERS TOPIC GROUP EXPECTED
// Says one line of JSON when all records are parsed, and ends.
import { createEventConsumer } from '#ingest/kafka/consumer.ts';
import { QUIET_LOG } from '../support/quiet-log.ts';

/** What it says. Times are epoch milliseconds, processor time is from the assignment on. */
export interface ParseReport {
  readonly assignedMs: number;
  readonly doneMs: number;
  readonly cpuSeconds: number;
}

const [brokers = '', topic = '', groupId = '', expected = ''] = process.argv.slice(2);
const done = Promise.withResolvers<void>();
let assignedMs = 0;
let cpuBefore = process.cpuUsage();
let missing = Number(expected);

const consumer = createEventConsumer(
  {
    log: QUIET_LOG,
    handlers: {
      async assigned() {
        if (assignedMs === 0) cpuBefore = process.cpuUsage();
        assignedMs ||= Date.now();
      },
      async batch(_, records) {
        for (const { value } of records) JSON.parse((value as Buffer).toString('utf8'));
        missing -= records.length;
        if (missing <= 0) done.resolve();
      },
      failed: done.reject,
    },
  },
  { connection: { brokers: brokers.split(',') }, groupId, topics: [topic] },
);
await consumer.start();
await done.promise;
const { user, system } = process.cpuUsage(cpuBefore);
const report: ParseReport = { assignedMs, doneMs: Date.now(), cpuSeconds: (user + system) / 1e6 };
process.stdout.write(`${JSON.stringify(report)}\n`);
await consumer.stop();
