// Baseline of the pipeline, in a separate process: it reads with the same Kafka client and only calls `JSON.parse` on
// each record:
//   node parse-consumer.ts BROKERS TOPIC GROUP EXPECTED
// Prints one line of JSON when all records are parsed, and exits.
import { createEventConsumer } from '#ingest/kafka/consumer.ts';
import { QUIET_LOG } from '../support/quiet-log.ts';
import { type Stretch, WARM } from './warm-stretch.ts';

/** The printed report. Times are in epoch milliseconds, processor times in seconds. */
export interface ParseReport {
  readonly assignedMs: number;
  readonly doneMs: number;
  readonly warm: Stretch<{ readonly reader: number }>;
}

const [brokers = '', topic = '', groupId = '', expected = ''] = process.argv.slice(2);
const done = Promise.withResolvers<void>();
const events = Number(expected);
let assignedMs = 0;
let parsed = 0;
let from: ParseReport['warm']['from'] | undefined;
let to: ParseReport['warm']['to'] | undefined;

function mark(): ParseReport['warm']['from'] {
  const { user, system } = process.cpuUsage();
  return { events: parsed, atMs: Date.now(), sample: { reader: (user + system) / 1e6 } };
}

const consumer = createEventConsumer(
  {
    log: QUIET_LOG,
    handlers: {
      async assigned() {
        assignedMs ||= Date.now();
      },
      async batch(_, records) {
        for (const { value } of records) JSON.parse((value as Buffer).toString('utf8'));
        parsed += records.length;
        if (parsed >= events * WARM.from) from ??= mark();
        if (parsed >= events * WARM.to) to ??= mark();
        if (parsed >= events) done.resolve();
      },
      failed: done.reject,
    },
  },
  { connection: { brokers: brokers.split(',') }, groupId, topics: [topic], copiesRecords: true },
);
await consumer.start();
await done.promise;
if (from === undefined || to === undefined)
  throw new Error('done without having been at both ends of the warm stretch');
const report: ParseReport = { assignedMs, doneMs: Date.now(), warm: { from, to } };
process.stdout.write(`${JSON.stringify(report)}\n`);
await consumer.stop();
