import { setTimeout as pause } from 'node:timers/promises';
import { randomName } from '../support/random-name.ts';
import type { BenchContext } from './context.ts';
import { createFeed } from './feed.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { startIngest } from './ingest-process.ts';
import { cpuSeconds } from './processes.ts';
import { type BenchRow, boundRow } from './row.ts';

const PARTITIONS = 12;
const SETTLE_MS = 5_000;
const WATCHED_MS = 20_000;

/** Measures the processor time of an idle `ingest`, as a share of one core. */
export async function benchIdle({ kafka, clickHouse }: BenchContext): Promise<BenchRow[]> {
  const feed = await createFeed(kafka.brokers, PARTITIONS);
  try {
    return await withFreshDatabase(clickHouse, async (clickhouse) => {
      const ingest = await startIngest(feed, clickHouse, clickhouse, { TRAPLINE_GROUP_ID: randomName('group') });
      try {
        await ingest.logged('partitions assigned');
        await pause(SETTLE_MS);
        const [before, begun] = [cpuSeconds(ingest.pid), performance.now()];
        await pause(WATCHED_MS);
        const share = ((cpuSeconds(ingest.pid) - before) / ((performance.now() - begun) / 1000)) * 100;
        // A process that has ended uses no processor time either, so it must still answer and have its partitions.
        const held = (await ingest.metric('trapline_kafka_assigned_partitions')).get('');
        if (held !== PARTITIONS)
          throw new Error(`ingest holds ${held} of ${PARTITIONS} partitions: ${ingest.output()}`);
        return [boundRow('idle: processor time of ingest', '% of a core', share, 1)];
      } finally {
        await ingest.stop();
      }
    });
  } finally {
    await feed.close();
  }
}
