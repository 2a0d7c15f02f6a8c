import type { BenchContext } from './context.ts';
import { createFeed, type Feed } from './feed.ts';
import { fleetRecord } from './fleet-events.ts';
import { type IngestRun, runIngest, type ThroughputRun } from './ingest-run.ts';
import { runKafkaEngine } from './kafka-engine-run.ts';
import { runParse } from './parse-run.ts';
import { type BenchRow, boundRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';
import { threadTexts } from './thread-texts.ts';

const PARTITIONS = 4;
const MEMORY_MIB = 400;
/**
 * Both sides share one machine. This ratio still counts as "not slower": two runs of the same side differ by as much.
 */
const NO_LESS = 0.95;

/**
 * Runs before the measurement. A newly started JVM compiles while the broker serves its first million records, at up to
 * 1 µs each, which is more than serving them costs.
 */
const WARM_UP_RUNS = 2;

/**
 * Measures the whole pipeline over one topic that is filled in advance. One `ingest` process is compared with its Kafka
 * client only parsing, and with ClickHouse reading the topic itself. Two `ingest` processes are compared with one.
 * Sides alternate, each is measured after its warm-up (`WARM`), and medians count.
 */
export async function benchPipeline(context: BenchContext): Promise<BenchRow[]> {
  const { progress, events, rounds, kafka } = context;
  const feed = await createFeed(kafka.brokers, PARTITIONS);
  try {
    progress(`filling a topic with ${events} events`);
    const begun = Date.now();
    await feed.fill(0, events, fleetRecord);
    progress(`filled in ${Math.round((Date.now() - begun) / 1000)} s`);
    for (let run = 0; run < WARM_UP_RUNS; run += 1) await runParse(context, feed);
    return rowsOf(await runRounds(context, feed, rounds));
  } finally {
    await feed.close();
  }
}

interface Sides {
  readonly parse: ThroughputRun[];
  readonly one: IngestRun[];
  readonly engine: ThroughputRun[];
  readonly two: IngestRun[];
}

async function runRounds(context: BenchContext, feed: Feed, rounds: number): Promise<Sides> {
  const sides: Sides = { parse: [], one: [], engine: [], two: [] };
  const withProgress = <Run extends ThroughputRun>(name: string, run: Run): Run => {
    context.progress(`${name}: ${Math.round(run.eventsPerSecond).toLocaleString('en-US')} events/s`);
    return run;
  };
  for (let round = 0; round < rounds; round += 1) {
    sides.parse.push(withProgress('parsing only', await runParse(context, feed)));
    sides.one.push(withProgress('ingest', await runIngest(context, feed, 1)));
    sides.engine.push(withProgress('Kafka table engine', await runKafkaEngine(context, feed)));
    sides.two.push(withProgress('two ingest processes', await runIngest(context, feed, 2)));
  }
  return sides;
}

function rowsOf({ parse, one, engine, two }: Sides): BenchRow[] {
  const rate = (runs: readonly ThroughputRun[]) => median(runs.map((run) => run.eventsPerSecond));
  const unit = 'events/s';
  return [
    {
      ...ratioRow('pipeline: Kafka to ClickHouse, against parsing only', unit, rate(one), rate(parse), 0.5),
      details: [
        wholeText(one, parse),
        cpuText('ingest', one),
        cpuText('parsing only', parse),
        ...stepsText(one),
        ...threadTexts(one),
      ],
    },
    {
      ...ratioRow("pipeline: the same, against ClickHouse's Kafka engine", unit, rate(one), rate(engine), 0.5),
      details: [cpuText('Kafka engine', engine)],
    },
    {
      ...ratioRow('pipeline: two processes against one', unit, rate(two), rate(one), NO_LESS),
      details: [cpuText('two processes', two), tenText(two)],
    },
    boundRow('pipeline: peak memory of ingest', 'MiB', Math.max(...one.map((run) => run.peakMiB)), MEMORY_MIB),
  ];
}

/** Returns the same comparison with the warm-up of both sides included. */
function wholeText(one: readonly ThroughputRun[], parse: readonly ThroughputRun[]): string {
  const [ours, theirs] = [one, parse].map((runs) => median(runs.map((run) => run.wholeEventsPerSecond))) as [
    number,
    number,
  ];
  const shown = (rate: number) => Math.round(rate).toLocaleString('en-US');
  return `from the first event to the last, warming up included: ${shown(ours)} of ${shown(theirs)} events/s, ${(ours / theirs).toFixed(2)}`;
}

function cpuText(name: string, runs: readonly ThroughputRun[]): string {
  const of = (part: keyof ThroughputRun['cpu']) => median(runs.map((run) => run.cpu[part])).toFixed(2);
  return `processor time, µs an event, ${name}: process ${of('reader')}, broker ${of('broker')}, ClickHouse ${of('engine')}`;
}

/** Returns an estimate of the rate of ten processes with a core each, and of the cores that the stores need for it. */
function tenText(runs: readonly ThroughputRun[]): string {
  const cost = (part: keyof ThroughputRun['cpu']) => median(runs.map((run) => run.cpu[part]));
  const [ten, engine, broker] = [10e6 / cost('reader'), cost('engine'), cost('broker')];
  const cores = (micros: number) => ((ten * micros) / 1e6).toFixed(1);
  return (
    `on paper, ten processes with a core each: ${Math.round(ten).toLocaleString('en-US')} events/s, for which ClickHouse needs ` +
    `${cores(engine)} cores and the broker ${cores(broker)}; ten partitions or more`
  );
}

function stepsText(runs: readonly IngestRun[]): string[] {
  const names = [...new Set(runs.flatMap((run) => [...run.steps.keys()]))];
  const steps = names.map((name) => `${name} ${median(runs.map((run) => run.steps.get(name) ?? 0)).toFixed(2)}`);
  return [
    `steps, µs an event: ${steps.join(', ')} (land: waiting); ${Math.round(median(runs.map((run) => run.batchRows)))} rows a batch`,
  ];
}
