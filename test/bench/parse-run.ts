import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { randomName } from '../support/random-name.ts';
import type { BenchContext } from './context.ts';
import type { Feed } from './feed.ts';
import type { ThroughputRun } from './ingest-run.ts';
import type { ParseReport } from './parse-consumer.ts';
import { cpuSeconds } from './processes.ts';
import { costOfStretch, rateOfStretch } from './warm-stretch.ts';

const PROGRAM = fileURLToPath(new URL('parse-consumer.ts', import.meta.url));
const run = promisify(execFile);

/** Runs the baseline: the same Kafka client over the same topic, which only parses. */
export async function runParse({ stores, events }: BenchContext, feed: Feed): Promise<ThroughputRun> {
  const brokerBefore = cpuSeconds(stores.broker);
  const { stdout } = await run(
    process.execPath,
    [PROGRAM, feed.brokers.join(','), feed.topic, randomName('group'), String(events)],
    { timeout: 180_000 },
  );
  const { warm, doneMs, assignedMs } = JSON.parse(stdout) as ParseReport;
  return {
    eventsPerSecond: rateOfStretch(warm),
    wholeEventsPerSecond: (events / (doneMs - assignedMs)) * 1000,
    cpu: {
      reader: costOfStretch(warm, 'reader'),
      // Measured over the whole run, because the broker does not report where the warm stretch begins.
      broker: ((cpuSeconds(stores.broker) - brokerBefore) / events) * 1e6,
      engine: 0,
    },
  };
}
