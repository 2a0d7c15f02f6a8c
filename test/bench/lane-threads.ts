import type { BenchContext } from './context.ts';
import { createFeed, type Feed } from './feed.ts';
import { fleetRecord } from './fleet-events.ts';
import { type IngestRun, runIngest } from './ingest-run.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';
import { threadTexts } from './thread-texts.ts';

const PARTITIONS = 4;

interface Side {
  readonly name: string;
  readonly processes: number;
  readonly threads: number;
}

/** Configurations to compare. The first is the baseline. */
const SIDES: readonly Side[] = [
  { name: 'one process, one thread of lanes', processes: 1, threads: 1 },
  { name: 'one process, two threads of lanes', processes: 1, threads: 2 },
  { name: 'two processes, one thread of lanes each', processes: 2, threads: 1 },
];

/**
 * Measures the rate of `ingest` over one topic, by the number of processes and lane threads. Sides alternate, and
 * medians count.
 */
export async function benchLaneThreads(context: BenchContext): Promise<BenchRow[]> {
  const feed = await createFeed(context.kafka.brokers, PARTITIONS);
  try {
    context.progress(`filling a topic with ${context.events} events`);
    await feed.fill(0, context.events, fleetRecord);
    return rowsOf(await runSides(context, feed));
  } finally {
    await feed.close();
  }
}

async function runSides(context: BenchContext, feed: Feed): Promise<ReadonlyMap<Side, readonly IngestRun[]>> {
  const runs = new Map(SIDES.map((side) => [side, [] as IngestRun[]]));
  for (let round = 0; round < context.rounds; round += 1) {
    for (const at of SIDES.keys()) {
      // Rotates the order, so that no side always has the same position.
      const side = SIDES[(at + round) % SIDES.length] as Side;
      const env = { TRAPLINE_LANE_THREADS: String(side.threads) };
      const run = await runIngest(context, feed, side.processes, { env });
      runs.get(side)?.push(run);
      context.progress(
        `${side.name}: ${Math.round(run.eventsPerSecond).toLocaleString('en-US')} events/s, ${costText([run])}`,
      );
    }
  }
  return runs;
}

function rowsOf(runs: ReadonlyMap<Side, readonly IngestRun[]>): BenchRow[] {
  const rate = (side: Side) => median((runs.get(side) ?? []).map((run) => run.eventsPerSecond));
  const [first] = SIDES as [Side];
  return SIDES.map((side) => ({
    ...ratioRow(`lane threads: ${side.name}`, 'events/s', rate(side), rate(first), null),
    details: [costText(runs.get(side) ?? []), ...threadTexts(runs.get(side) ?? [])],
  }));
}

function costText(runs: readonly IngestRun[]): string {
  const of = (part: keyof IngestRun['cpu']) => median(runs.map((run) => run.cpu[part])).toFixed(2);
  const rows = Math.round(median(runs.map((run) => run.batchRows)));
  const peak = Math.round(Math.max(...runs.map((run) => run.peakMiB)));
  return `µs an event: ingest ${of('reader')}, ClickHouse ${of('engine')}, broker ${of('broker')}; ${rows} rows a batch; peak ${peak} MiB`;
}
