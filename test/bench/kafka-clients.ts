import { setTimeout as pause } from 'node:timers/promises';
import { randomName } from '../support/random-name.ts';
import { type BothSides, CLIENTS, comparison, inTurn, mapSides } from './client-sides.ts';
import type { BenchContext } from './context.ts';
import { createFeed, type Feed } from './feed.ts';
import { fleetRecord } from './fleet-events.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { startIngest } from './ingest-process.ts';
import { type IngestRun, runIngest, type ThroughputRun } from './ingest-run.ts';
import { runParse } from './parse-run.ts';
import { cpuSeconds, currentMemoryMiB } from './processes.ts';
import type { BenchRow } from './row.ts';
import { median } from './statistics.ts';

const PARTITIONS = 4;
const IDLE_MS = 60_000;
const SETTLE_MS = 5_000;

/**
 * The two Kafka clients behind the port, in turns: only parsing, the whole ingest, and idle (at the same time).
 */
export async function benchKafkaClients(context: BenchContext): Promise<BenchRow[]> {
  const { progress, events, kafka } = context;
  const feed = await createFeed(kafka.brokers, PARTITIONS);
  try {
    progress(`filling a topic with ${events} events`);
    await feed.fill(0, events, fleetRecord);
    const throughput = await compareThroughput(context, feed);
    progress('idle for a minute');
    const idle = await compareIdle(context);
    return [...throughput, ...idle];
  } finally {
    await feed.close();
  }
}

async function compareThroughput(context: BenchContext, feed: Feed): Promise<BenchRow[]> {
  const parse: BothSides<ThroughputRun[]> = { kafkajs: [], platformatic: [] };
  const ingest: BothSides<IngestRun[]> = { kafkajs: [], platformatic: [] };
  for (let round = 0; round < context.rounds; round++) {
    for (const client of inTurn(round)) {
      parse[client].push(await runParse(context, feed, client));
      ingest[client].push(await runIngest(context, feed, 1, { env: { TRAPLINE_KAFKA_CLIENT: client } }));
      const [parsed, landed] = [parse[client].at(-1), ingest[client].at(-1)];
      context.progress(
        `${client}: only parsing ${parsed?.cpu.reader.toFixed(2)} µs an event, ingest ${landed?.cpu.reader.toFixed(2)} µs`,
      );
    }
  }
  const rates = (runs: BothSides<ThroughputRun[]>) =>
    mapSides(runs, (all) => median(all.map((run) => run.eventsPerSecond)));
  const costs = (runs: BothSides<ThroughputRun[]>, part: keyof ThroughputRun['cpu']) =>
    mapSides(runs, (all) => median(all.map((run) => run.cpu[part])));
  return [
    comparison('only parsing', 'events/s', rates(parse)),
    comparison('only parsing, processor time', 'µs an event', costs(parse, 'reader')),
    comparison('ingest', 'events/s', rates(ingest)),
    comparison('ingest, processor time', 'µs an event', costs(ingest, 'reader')),
    comparison('ingest, processor time of the broker', 'µs an event', costs(ingest, 'broker')),
    comparison(
      'ingest, peak memory',
      'MiB',
      mapSides(ingest, (all) => Math.max(...all.map((run) => run.peakMiB))),
    ),
  ];
}

/** Both at the same time, so that the load of the machine is the same. */
async function compareIdle({ kafka, clickHouse }: BenchContext): Promise<BenchRow[]> {
  const feed = await createFeed(kafka.brokers, 12);
  try {
    return await withFreshDatabase(clickHouse, async (clickhouse) => {
      const starting = CLIENTS.map((client) =>
        startIngest(feed, clickHouse, clickhouse, {
          TRAPLINE_GROUP_ID: randomName('group'),
          TRAPLINE_KAFKA_CLIENT: client,
        }),
      );
      const both = await Promise.all(starting);
      try {
        await Promise.all(both.map((ingest) => ingest.logged('partitions assigned')));
        await pause(SETTLE_MS);
        const before = both.map(({ pid }) => cpuSeconds(pid));
        const begun = performance.now();
        await pause(IDLE_MS);
        const seconds = (performance.now() - begun) / 1000;
        const shares = both.map(({ pid }, index) => ((cpuSeconds(pid) - (before[index] ?? 0)) / seconds) * 100);
        const memory = both.map(({ pid }) => currentMemoryMiB(pid));
        return [comparison('idle', '% of a core', sides(shares)), comparison('idle, memory', 'MiB', sides(memory))];
      } finally {
        await Promise.all(both.map((ingest) => ingest.stop()));
      }
    });
  } finally {
    await feed.close();
  }
}

function sides(values: readonly number[]): BothSides<number> {
  return { kafkajs: values[0] ?? Number.NaN, platformatic: values[1] ?? Number.NaN };
}
