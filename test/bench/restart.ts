import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { randomName } from '../support/random-name.ts';
import { temporaryFolder } from '../support/services/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import type { BenchContext } from './context.ts';
import { createFeed, type Feed } from './feed.ts';
import type { FleetRecord } from './fleet-events.ts';
import { landedEvents, withFreshDatabase } from './fresh-database.ts';
import { type IngestProcess, startIngest } from './ingest-process.ts';
import { type BenchRow, boundRow } from './row.ts';

const PARTITIONS = 4;
const PROGRAMS = 100_000;
const PROGRAMS_A_HOST = 1_000;
/** Each program crashed twice some minutes ago, so the rebuilt state is within the window of every rule. */
const EVENTS = 2 * PROGRAMS;
const NEW_EVENTS = 1_000;
const WITHIN_MS = 5_000;

/**
 * Measures a restart of `ingest` after SIGKILL, with crashes of 100,000 programs. It measures from the start of the
 * process until every lane is open and receives records, and until the first new row is stored. A lane saves its state
 * only with its first events, so it rebuilds its state from most of the events.
 */
export async function benchRestart(context: BenchContext): Promise<BenchRow[]> {
  const feed = await createFeed(context.kafka.brokers, PARTITIONS);
  try {
    const startSeconds = Math.floor(Date.now() / 1000) - 600;
    await feed.fill(0, EVENTS, (index) => crash(index, startSeconds));
    return await withFreshDatabase(context.clickHouse, (clickhouse) =>
      // Both processes use one data directory, as when a supervisor restarts them: the second has the same stable
      // name in its consumer group.
      temporaryFolder('restart', async (dataDir) => {
        const env = { TRAPLINE_GROUP_ID: randomName('group'), TRAPLINE_DATA_DIR: dataDir };
        const start = () => startIngest(feed, context.clickHouse, clickhouse, env);
        const first = await start();
        try {
          await waitFor('the events to land', async () => (await landedEvents(clickhouse)) >= EVENTS, {
            timeoutMs: 60_000,
          });
        } finally {
          await first.kill9();
        }
        const second = await start();
        try {
          return await measure(second, clickhouse, feed, startSeconds);
        } finally {
          await second.stop();
        }
      }),
    );
  } finally {
    await feed.close();
  }
}

async function measure(
  ingest: IngestProcess,
  clickhouse: ClickHouse,
  feed: Feed,
  startSeconds: number,
): Promise<BenchRow[]> {
  await feed.fill(EVENTS, NEW_EVENTS, (index) => crash(index, startSeconds));
  const since = ({ spawnedMs }: IngestProcess, atMs: number) => atMs - spawnedMs;
  const options = { timeoutMs: 60_000, everyMs: 10 };
  await waitFor('the first new row', async () => (await landedEvents(clickhouse)) > EVENTS, options);
  const landedMs = since(ingest, Date.now());
  const opened = await waitFor(
    'every lane to open',
    async () => {
      const lines = await ingest.logLines('lane opened');
      return lines.length >= PARTITIONS && lines;
    },
    options,
  );
  const [running] = await ingest.logLines('ingest is running');
  const [assigned] = await ingest.logLines('partitions assigned');
  const assignedMs = since(ingest, assigned?.atMs ?? 0);
  const openedMs = since(ingest, Math.max(...opened.map(({ atMs }) => atMs)));
  const programs = (await ingest.metric('trapline_detection_programs')).get('') ?? 0;
  if (programs < PROGRAMS)
    throw new Error(`the rules remember ${programs} of ${PROGRAMS} programs: not all was rebuilt`);
  const replayed = opened.reduce((sum, line) => sum + Number(line.replayed), 0);
  return [
    {
      ...boundRow('restart after kill -9, 100,000 programs: consuming again', 'ms', openedMs, WITHIN_MS),
      details: [
        `from the start of the process: ready after ${since(ingest, running?.atMs ?? 0)} ms, partitions after ${assignedMs} ms, ` +
          `lanes open after ${openedMs} ms (${replayed} events replayed, ${programs} programs remembered), first new row after ${landedMs} ms`,
        `rebuilding alone took ${openedMs - assignedMs} ms`,
      ],
    },
  ];
}

function crash(index: number, startSeconds: number): FleetRecord {
  const program = index % PROGRAMS;
  const host = `host-${Math.floor(program / PROGRAMS_A_HOST)}`;
  const ip = 0x40_1000 + (program % 64) * 64;
  const time = new Date(startSeconds * 1000 + index).toISOString();
  const value =
    `{"version":"V1","timestamp":"${time}","hostname":"${host}","event":{"type":"LinuxKernelTrap","level":"Info","facility":"Kern",` +
    `"trap":{"type":"Segfault","location":${ip}},"procname":"program-${program}","pid":${1000 + index},"ip":${ip},"sp":140726533221888,` +
    '"errcode":{"reason":"NoPageFound","access_type":"Read","access_mode":"User","use_of_reserved_bit":false,"instruction_fetch":false,' +
    `"protection_keys_block_access":false},"file":"program-${program}","vmastart":4198400,"vmasize":65536}}`;
  return { key: host, value: Buffer.from(value) };
}
