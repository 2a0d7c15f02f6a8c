import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { createEventConsumer } from '#ingest/kafka/consumer.ts';
import { TOPICS } from '#schemas/topics.ts';
import { QUIET_LOG } from '../support/quiet-log.ts';
import { randomName } from '../support/random-name.ts';
import { waitFor } from '../support/wait-for.ts';
import { withApiProcess } from './api-process.ts';
import { FOLLOWER_OPTIONS, PROGRAM_ENV } from './as-program.ts';
import type { BenchContext } from './context.ts';
import { createFeed, type Feed } from './feed.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { startIngest } from './ingest-process.ts';
import { type BenchRow, boundRow } from './row.ts';
import { percentile } from './statistics.ts';

const MAIN = fileURLToPath(new URL('../../deploy/cli/main.ts', import.meta.url));
const PARTITIONS = 4;
const TICK_MS = 10;
const RECORDS_A_TICK = 10;
const TICKS = 2_000;
/** Ticks at the start that are not counted: V8 compiles, and clients look up the leaders of the topics. */
const WARM_UP_TICKS = 300;
/**
 * Interval of new probes, in ticks. Each probe is of a new program: all its crashes are written in one tick and open
 * one detection.
 */
const PROBE_EVERY = 5;
const PROBE_CRASHES = 6;
/** In the middle of a page: the rules explain a fault at a page boundary as an access beyond the end of a buffer. */
const PROBE_OFFSET = 0x1800;
const POLL_MS = 40;
const ALLOWED_MS = 250;
const ALLOWED_EVENT_MS = 1_000;

/** Destination of the detector's events, and source of the detections. */
interface Way {
  readonly name: string;
  readonly to: string;
  readonly env: Readonly<Record<string, string>>;
  /** Topics of the run, with that of the detections; undefined without Kafka. */
  readonly feed: Feed | undefined;
}

/** Arrival times in milliseconds, from the write of the crash line to the detector, by program. */
interface Arrivals {
  readonly published: Map<string, number>;
  readonly detection: Map<string, number>;
  readonly event: Map<string, number>;
}

/**
 * Measures the delay of detections at a thousand kernel records a second into `trapline detect`, over Kafka with one
 * `ingest`, and over HTTP with one `api` without Kafka. The delay begins with the line that completes a probe. It ends
 * when the detection is on its topic, and when queries return the detection and the event. Queries run every 40 ms,
 * which adds to the measured delay.
 */
export async function benchLatency(context: BenchContext): Promise<BenchRow[]> {
  return [...(await overKafka(context)), ...(await overHttp(context))];
}

function overHttp({ clickHouse }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, (clickhouse) =>
    withApiProcess(clickHouse, clickhouse.database, async ({ url, headers }) => {
      const env = { TRAPLINE_API_KEY: headers['x-api-key'] ?? '' };
      const way: Way = { name: 'HTTP', to: url, env, feed: undefined };
      return rowsOf(way, await watch(way, clickhouse));
    }),
  );
}

async function overKafka(context: BenchContext): Promise<BenchRow[]> {
  const feed = await createFeed(context.kafka.brokers, PARTITIONS);
  try {
    return await withFreshDatabase(context.clickHouse, async (clickhouse) => {
      const env = { TRAPLINE_GROUP_ID: randomName('group') };
      const ingest = await startIngest(feed, context.clickHouse, clickhouse, env);
      try {
        await ingest.logged('partitions assigned');
        const env = { KAFKA_BROKERS: feed.brokers.join(','), TRAPLINE_TOPIC_PREFIX: feed.prefix };
        const way: Way = { name: 'Kafka', to: `kafka://${TOPICS.events}`, env, feed };
        return rowsOf(way, await watch(way, clickhouse));
      } finally {
        await ingest.stop();
      }
    });
  } finally {
    await feed.close();
  }
}

async function watch(way: Way, clickhouse: ClickHouse): Promise<{ printed: Map<string, number>; arrived: Arrivals }> {
  const arrived: Arrivals = { published: new Map(), detection: new Map(), event: new Map() };
  const listener = way.feed && listen(way.feed, arrived.published);
  const detector = startDetector(way);
  const ended = once(detector, 'exit');
  let polling = true;
  const polls = poll(clickhouse, arrived, () => polling);
  try {
    await listener?.start();
    const printed = await print(detector);
    if (listener !== undefined) {
      await waitFor('every detection to arrive', () => has(arrived.published, printed), { timeoutMs: 20_000 });
    }
    await waitFor('every event to be found', () => has(arrived.event, printed), { timeoutMs: 20_000 });
    await waitFor('every detection to be found', () => has(arrived.detection, printed), { timeoutMs: 20_000 });
    return { printed, arrived };
  } finally {
    polling = false;
    await polls;
    detector.stdin?.end();
    await ended;
    await listener?.stop();
  }
}

function has(arrived: ReadonlyMap<string, number>, printed: ReadonlyMap<string, number>): boolean {
  return [...printed.keys()].every((victim) => arrived.has(victim));
}

function startDetector({ to, env }: Way): ChildProcess {
  const args = ['detect', '--from', '-', '--hostname', 'bench', '--boot-time', '2026-03-01T00:00:00Z', '--to', to];
  return spawn(process.execPath, [...FOLLOWER_OPTIONS, MAIN, ...args], {
    env: { ...process.env, ...PROGRAM_ENV, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}

/**
 * Writes lines at a constant rate, and catches up when late. Resolves to the time at which the last line of each probed
 * program was written.
 */
async function print(detector: ChildProcess): Promise<Map<string, number>> {
  const printed = new Map<string, number>();
  const begun = Date.now();
  let sequence = 0;
  for (let tick = 0; tick < TICKS; ) {
    for (; tick < TICKS && begun + tick * TICK_MS <= Date.now(); tick += 1) {
      const victim = tick % PROBE_EVERY === 0 ? `victim${tick}` : undefined;
      const lines = Array.from({ length: RECORDS_A_TICK }, (_, i) => {
        sequence += 1;
        return victim !== undefined && i < PROBE_CRASHES
          ? segfault(sequence, victim, PROBE_OFFSET + i * 4)
          : segfault(sequence, `service${sequence % 199}`, 0x1000 + (sequence % 3) * 4096);
      });
      detector.stdin?.write(lines.join(''));
      if (victim !== undefined && tick >= WARM_UP_TICKS) printed.set(victim, Date.now());
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return printed;
}

function segfault(sequence: number, program: string, offset: number): string {
  const ip = (0x7fd7_0f40_0000 + offset).toString(16);
  return (
    `6,${sequence},${sequence * 1000},-;${program}[${1000 + sequence}]: segfault at ${ip} ip 0000${ip} sp 00007ffd73440c98 ` +
    `error 4 in ${program}[7fd70f400000+178000]\n`
  );
}

function listen(feed: Feed, published: Map<string, number>) {
  return createEventConsumer(
    {
      log: QUIET_LOG,
      handlers: {
        assigned: async () => {},
        async batch(_, records) {
          const now = Date.now();
          for (const { value } of records) {
            const victim = /victim\d+/.exec(String(value))?.[0];
            if (victim !== undefined && !published.has(victim)) published.set(victim, now);
          }
        },
        failed: () => {},
      },
    },
    {
      connection: { brokers: feed.brokers },
      groupId: randomName('listener'),
      topics: [feed.prefix + TOPICS.detections],
    },
  );
}

async function poll(clickhouse: ClickHouse, { detection, event }: Arrivals, goOn: () => boolean): Promise<void> {
  const look = async (table: string, found: Map<string, number>) => {
    const rows = await clickhouse.rows<{ procname: string }>(
      'look for what has arrived',
      `SELECT DISTINCT procname FROM ${clickhouse.table(table)} WHERE startsWith(procname, 'victim')`,
    );
    const now = Date.now();
    for (const { procname } of rows) if (!found.has(procname)) found.set(procname, now);
  };
  while (goOn()) {
    await Promise.all([look('detections', detection), look('events', event)]);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function rowsOf(way: Way, { printed, arrived }: { printed: Map<string, number>; arrived: Arrivals }): BenchRow[] {
  const row = (name: string, at: Map<string, number>, allowedMs: number) => {
    const latencies = [...printed].map(([victim, writtenMs]) => (at.get(victim) as number) - writtenMs);
    const [half, most] = [percentile(latencies, 0.5), Math.max(...latencies)];
    return {
      ...boundRow(
        `latency over ${way.name} at 1,000 events/s: ${name}, p99`,
        'ms',
        percentile(latencies, 0.99),
        allowedMs,
      ),
      details: [`median ${half} ms, longest ${most} ms, ${latencies.length} faults`],
    };
  };
  return [
    ...(way.feed === undefined ? [] : [row('fault to detections.v1', arrived.published, ALLOWED_MS)]),
    row('fault to queryable detection', arrived.detection, ALLOWED_MS),
    row('fault to queryable event', arrived.event, ALLOWED_EVENT_MS),
  ];
}
