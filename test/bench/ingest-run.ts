import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { randomName } from '../support/random-name.ts';
import type { BenchContext } from './context.ts';
import type { Feed } from './feed.ts';
import { FLEET_IS_PROBED } from './fleet-events.ts';
import { landedEvents, withFreshDatabase } from './fresh-database.ts';
import { type IngestProcess, startIngest } from './ingest-process.ts';
import { cpuSeconds, peakMemoryMiB } from './processes.ts';
import { type ThreadTime, threadTimes, timesBetween } from './thread-times.ts';
import { costOfStretch, rateOfStretch, type Stretch } from './warm-stretch.ts';
import { watchLanding } from './watch-landing.ts';

/**
 * Figures of one run over a topic. Processor times are in microseconds an event, summed over all processes of a kind.
 */
export interface ThroughputRun {
  /** Measured after the warm-up (see `WARM`), as are the processor times. */
  readonly eventsPerSecond: number;
  /** Measured from the assignment of the partitions to the last event. */
  readonly wholeEventsPerSecond: number;
  readonly cpu: { readonly reader: number; readonly broker: number; readonly engine: number };
}

export interface IngestRun extends ThroughputRun {
  /** Maximum over the processes. */
  readonly peakMiB: number;
  /**
   * Microseconds an event by step: processor time for steps that handle single records, waiting time for the others.
   */
  readonly steps: ReadonlyMap<string, number>;
  readonly batchRows: number;
  /** Measured after the warm-up, in microseconds an event, by process and thread name. */
  readonly threads: readonly ThreadCost[];
}

/** Microseconds an event in which the threads with this name ran, and in which they waited for a processor. */
export interface ThreadCost {
  /** `benchmark` is this process: it relays the traffic of a ClickHouse that it started. */
  readonly process: 'ingest' | 'ClickHouse' | 'broker' | 'benchmark';
  readonly name: string;
  readonly running: number;
  readonly waiting: number;
}

interface RunOptions {
  readonly nodeArgs?: readonly string[];
  /** Settings in addition to the default settings of a run. */
  readonly env?: Readonly<Record<string, string>>;
  /** Main program, which may be that of another checkout. */
  readonly main?: string | undefined;
}

const PATIENCE_MS = 120_000;

/**
 * Measures `processes` ingest processes until they have stored a whole topic. Rates exclude events that were stored
 * before all processes had their partitions.
 */
export function runIngest(
  context: BenchContext,
  feed: Feed,
  processes: number,
  { nodeArgs = [], env = {}, main }: RunOptions = {},
): Promise<IngestRun> {
  return withFreshDatabase(context.clickHouse, async (clickhouse) => {
    const settings = { TRAPLINE_GROUP_ID: randomName('group'), ...env };
    const starting = Array.from({ length: processes }, () =>
      startIngest(feed, context.clickHouse, clickhouse, settings, nodeArgs, main),
    );
    const started = (await Promise.allSettled(starting)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    try {
      await Promise.all(starting);
      return await measure(context, clickhouse, started);
    } finally {
      await Promise.all(started.map((one) => one.stop()));
    }
  });
}

async function measure(
  { stores, events }: BenchContext,
  clickhouse: ClickHouse,
  started: readonly IngestProcess[],
): Promise<IngestRun> {
  const cpuNow = () => ({
    reader: started.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    broker: cpuSeconds(stores.broker),
    engine: cpuSeconds(stores.engine),
    threads: {
      ingest: threadTimes(started.map(({ pid }) => pid)),
      ClickHouse: threadTimes([stores.engine]),
      broker: threadTimes([stores.broker]),
      benchmark: threadTimes([process.pid]),
    },
  });
  const assigned = await Promise.all(started.map((one) => one.logged('partitions assigned')));
  const only = assigned.length === 1 ? assigned[0] : undefined;
  const before = { landed: await landedEvents(clickhouse), atMs: only?.atMs ?? Date.now() };
  const warm = await watchLanding(clickhouse, events, cpuNow, PATIENCE_MS).catch(async (error: Error) => {
    const logs = started.map((one) => one.output()).join('\n---\n');
    throw new Error(`${error.message}: ${await landedEvents(clickhouse)} of ${events}\n${logs}`);
  });
  const seconds = (Date.now() - before.atMs) / 1000;
  await expectAll(clickhouse, events);
  return {
    eventsPerSecond: rateOfStretch(warm),
    wholeEventsPerSecond: (events - before.landed) / seconds,
    cpu: {
      reader: costOfStretch(warm, 'reader'),
      broker: costOfStretch(warm, 'broker'),
      engine: costOfStretch(warm, 'engine'),
    },
    peakMiB: Math.max(...started.map(({ pid }) => peakMemoryMiB(pid))),
    threads: threadCosts(warm),
    ...(await pipelineFigures(started[0] as IngestProcess)),
  };
}

type ThreadsOf = Readonly<Record<ThreadCost['process'], ReadonlyMap<string, ThreadTime>>>;

function threadCosts({ from, to }: Stretch<{ readonly threads: ThreadsOf }>): ThreadCost[] {
  const micros = (seconds: number) => (seconds / (to.events - from.events)) * 1e6;
  return (['ingest', 'ClickHouse', 'broker', 'benchmark'] as const).flatMap((process) =>
    timesBetween(from.sample.threads[process], to.sample.threads[process]).map(({ name, running, waiting }) => ({
      process,
      name,
      running: micros(running),
      waiting: micros(waiting),
    })),
  );
}

/** Throws if rows were stored twice, or if no detection was stored: such a run must not count as fast. */
async function expectAll(clickhouse: ClickHouse, events: number): Promise<void> {
  const landed = await landedEvents(clickhouse);
  if (landed !== events) throw new Error(`${landed} rows of ${events} events: some landed twice`);
  const [row] = await clickhouse.rows<{ found: string }>(
    'count detections',
    `SELECT count() AS found FROM ${clickhouse.table('detections')}`,
  );
  if (events >= FLEET_IS_PROBED && row?.found === '0') throw new Error('no detection has landed');
}

async function pipelineFigures(ingest: IngestProcess) {
  const [seconds, records, sum, count] = await Promise.all([
    ingest.metric('trapline_pipeline_step_seconds_total'),
    ingest.metric('trapline_pipeline_step_records_total'),
    ingest.metric('trapline_pipeline_batch_records_sum'),
    ingest.metric('trapline_pipeline_batch_records_count'),
  ]);
  const steps = new Map<string, number>();
  for (const [labels, spent] of seconds) {
    const step = /step="(\w+)"/.exec(labels)?.[1] ?? labels;
    steps.set(step, (spent / (records.get(labels) ?? 1)) * 1e6);
  }
  return { steps, batchRows: (sum.get('') ?? 0) / (count.get('') ?? 1) };
}
