import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import type { KafkaRecord } from '#ingest/kafka/port.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import { HEADERS, TOPICS } from '#schemas/topics.ts';
import { type DetectionFacts, factsOf } from '#test/support/detection-facts.ts';
import { type NumberedRecord, numberedRecords } from '#test/support/numbered-records.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { type SeededRandom, seededRandom } from '#test/support/seeded-random.ts';
import type { ClickHouseService } from '#test/support/services/clickhouse.ts';
import type { ClickHouseCluster } from '#test/support/services/clickhouse-cluster.ts';
import type { KafkaService } from '#test/support/services/kafka-broker.ts';
import type { Restartable } from '#test/support/services/restartable.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { randomName } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { clusterStore, type StoreBlow, serverStore } from './oracle-store.ts';

/** Faults that are applied while events flow. */
export type Blow = 'kill' | 'freeze' | 'leave' | 'kill broker' | StoreBlow;

export interface OracleRun {
  /**
   * Determines the records, the faults and their times. The same seed gives the same run, except for the timing of the
   * machine.
   */
  readonly seed: number;
  readonly records: number;
  readonly partitions: number;
  readonly processes: number;
  readonly blows: readonly Blow[];
  readonly kafka: KafkaService & Partial<Restartable>;
  /** A cluster must have been started without merges. */
  readonly clickHouse: (ClickHouseService & Partial<Restartable>) | ClickHouseCluster;
  readonly timeoutMs?: number;
}

/** Both sides of the comparison: the records on the topic, and the stored results. */
export interface OracleResult {
  readonly sent: readonly KafkaRecord[];
  /** `partition/offset` and a digest of the original bytes, for every row. Duplicates are included. */
  readonly events: readonly string[];
  readonly deadLetters: readonly string[];
  readonly expectedEvents: readonly string[];
  readonly expectedDeadLetters: readonly string[];
  readonly detections: readonly DetectionFacts[];
  readonly expectedDetections: readonly DetectionFacts[];
  /** `id revision` of each distinct record on the detections topic, however often it was published. */
  readonly published: readonly string[];
  readonly expectedPublished: readonly string[];
  /** Each distinct record on the dead-letter topic, however often it was published. */
  readonly deadLetterTopic: readonly string[];
  readonly numbersMissingFromTopic: readonly number[];
  /** Descriptions of differences between the first replica of each shard and its other replicas. */
  readonly replicaDifferences: readonly string[];
  /** Number of shards without events. */
  readonly unusedShards: number;
  readonly exitCodes: readonly number[];
  /** Each applied fault with its target and the number of rows stored by then. */
  readonly blows: readonly string[];
}

const SESSION_TIMEOUT_MS = 2_000;
const PATIENCE = { timeoutMs: 180_000, everyMs: 50 };

/**
 * Sends numbered events through real processes on real Kafka and ClickHouse while faults are applied. Resolves to the
 * data for the comparison.
 */
export async function runOracle(run: OracleRun): Promise<OracleResult> {
  const random = seededRandom(run.seed);
  const pace = seededRandom(run.seed + 2);
  const prefix = `${randomName('oracle')}.`;
  const database = randomName('oracle');
  const topics = {
    events: prefix + TOPICS.events,
    detections: prefix + TOPICS.detections,
    dlq: prefix + TOPICS.deadLetters,
  };
  const connection = { brokers: run.kafka.brokers };
  const admin = createKafkaAdmin({ log: QUIET_LOG }, connection);
  await admin.ensureTopics([
    { topic: topics.events, partitions: run.partitions },
    { topic: topics.detections, partitions: 1 },
    { topic: topics.dlq, partitions: 1 },
  ]);
  const service =
    'nodes' in run.clickHouse ? clusterStore(run.clickHouse, database) : serverStore(run.clickHouse, database);
  const { clickhouse } = service;
  await migrate(clickhouse);
  await service.stopMerges();
  // The data directory is shared, so that a restarted process keeps its name in the consumer group, as under a
  // supervisor.
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trapline-oracle-'));
  const env = {
    TRAPLINE_DATA_DIR: dataDir,
    KAFKA_BROKERS: run.kafka.brokers.join(','),
    ...service.settings,
    TRAPLINE_TOPIC_PREFIX: prefix,
    TRAPLINE_GROUP_ID: randomName('group'),
    TRAPLINE_SESSION_TIMEOUT_MS: String(SESSION_TIMEOUT_MS),
    TRAPLINE_BATCH_ROWS: String(random.between(200, 2000)),
    TRAPLINE_BATCH_AGE_MS: '50',
    TRAPLINE_SNAPSHOT_EVENTS: String(random.between(1000, 3000)),
    TRAPLINE_LANE_THREADS: String(run.seed % 3),
  };
  const producer = createEventProducer({ log: QUIET_LOG }, { connection });
  const processes: TraplineProcess[] = [];
  const exitCodes: number[] = [];
  const blows: string[] = [];
  try {
    for (let index = 0; index < run.processes; index++) processes.push(await startTrapline(['ingest'], env));
    const all = numberedRecords(seededRandom(run.seed + 1), 0, run.records, prefix.slice(0, -1));
    const share = Math.ceil(all.length / (run.blows.length + 1));
    for (const [turn, blow] of run.blows.entries()) {
      const before = await landed();
      await Promise.all([send(all.slice(turn * share, (turn + 1) * share)), fall(blow, before)]);
    }
    await send(all.slice(run.blows.length * share));
    const sent = await readTopic(run.kafka.brokers, topics.events);
    await waitFor('everything to land', async () => (await landed()) >= sent.length, {
      timeoutMs: run.timeoutMs ?? 180_000,
      everyMs: 200,
    }).catch((error) => {
      throw new Error(
        `${(error as Error).message}: ${blows.join(', ')}\n${processes.map((p) => p.output()).join('\n---\n')}`,
      );
    });
    for (const process of processes.splice(0)) exitCodes.push(await end(process));
    return await compare(sent);
  } finally {
    await Promise.all(processes.map((process) => process.endAll()));
    await Promise.all([producer.close(), admin.close()]);
    await service.drop();
    await removeHome(dataDir);
  }

  async function send(records: readonly NumberedRecord[]): Promise<void> {
    for (let from = 0; from < records.length; ) {
      const size = pace.between(50, 600);
      await producer.send(topics.events, records.slice(from, from + size));
      from += size;
      await pause(pace.between(0, 60));
    }
  }

  /**
   * Applies a fault. Three of four faults begin after further rows have been stored; the others can hit a process that has
   * just started.
   */
  async function fall(blow: Blow, before: number): Promise<void> {
    if (random.next() < 0.75) await waitFor('some of it to land', async () => (await landed()) > before, PATIENCE);
    await pause(random.between(0, 200));
    blows.push(await strike(blow));
  }

  async function strike(blow: Blow): Promise<string> {
    const index = random.between(0, processes.length - 1);
    const victim = processes[index] as TraplineProcess;
    const before = await landed();
    if (blow === 'kill' || blow === 'leave') {
      if (blow === 'kill') {
        await victim.kill9();
        await victim.endAll();
      } else exitCodes.push(await end(victim));
      processes[index] = await startTrapline(['ingest'], env);
    }
    if (blow === 'freeze') {
      await victim.signal('SIGSTOP');
      await pause(SESSION_TIMEOUT_MS + random.between(200, 2500));
      await victim.signal('SIGCONT');
    }
    if (blow === 'kill broker') {
      // A starting process exits when a broker stays unavailable, so that its supervisor restarts it. This test has no
      // supervisor.
      await Promise.all(processes.map((process) => process.logged('ingest is running')));
      await bounce(run.kafka, random);
    }
    if (isStoreBlow(blow)) return `${await service.strike(blow, random)} after ${before}`;
    return `${blow} ${index} after ${before}`;
  }

  async function landed(): Promise<number> {
    const [row] = await clickhouse.rows<{ landed: string }>(
      'count what has landed',
      `SELECT (SELECT uniqExact(partition, offset) FROM ${clickhouse.table('events')})
            + (SELECT uniqExact(partition, offset) FROM ${clickhouse.table('dead_letters')}) AS landed`,
    );
    return Number(row?.landed);
  }

  async function compare(sent: readonly KafkaRecord[]): Promise<OracleResult> {
    const expected = expectedOf(sent);
    const shards = await settledShards(() =>
      Promise.all(service.copies.map((copies) => Promise.all(copies.map(rowsOf)))),
    );
    const stored = shards.flatMap(([first]) => first ?? []);
    const published = await readTopic(run.kafka.brokers, topics.detections);
    const buried = await readTopic(run.kafka.brokers, topics.dlq);
    const rows = await clickhouse.rows<Record<string, unknown>>(
      'read detections',
      `SELECT * FROM ${clickhouse.table('detections')}`,
    );
    const numbers = new Set(sent.map(({ value }) => Number(/"n":(\d+)/.exec(String(value))?.[1])));
    return {
      ...expected,
      sent,
      events: stored.flatMap(({ events }) => events),
      deadLetters: stored.flatMap(({ deadLetters }) => deadLetters),
      detections: rows.map(factsOf).sort((a, b) => (a.id < b.id ? -1 : 1)),
      published: distinct(
        published.map(
          ({ headers }) => `${String(headers[HEADERS.detectionId])} ${String(headers[HEADERS.detectionRevision])}`,
        ),
      ),
      deadLetterTopic: distinct(
        buried.map(({ headers, value }) => `${String(headers.partition)}/${String(headers.offset)} ${digest(value)}`),
      ),
      numbersMissingFromTopic: Array.from({ length: run.records }, (_, n) => n).filter((n) => !numbers.has(n)),
      replicaDifferences: replicaDifferences(shards),
      unusedShards: stored.filter(({ events }) => events.length === 0).length,
      exitCodes,
      blows,
    };
  }

  /** Returns all rows of one server after it has caught up with the other replicas. */
  async function rowsOf(copy: ClickHouse): Promise<LaneRows> {
    return (clickhouse.replicas === undefined ? laneRows : caughtUpRows)(copy);
  }
}

/** Rows of the lanes on one server. */
export interface LaneRows {
  readonly events: readonly string[];
  readonly deadLetters: readonly string[];
}

/** Tables that are compared at the end. */
const COMPARED = ['events', 'dead_letter_records', 'detection_records'] as const;

/** Returns all rows of one replica after it has caught up with the other replicas of its shard. */
export async function caughtUpRows(replica: ClickHouse): Promise<LaneRows> {
  for (const table of COMPARED) await replica.command('catch up', `SYSTEM SYNC REPLICA ${replica.table(table)}`);
  return laneRows(replica);
}

/** ClickHouse checks an unknown part against the keeper five minutes after the part was written, or later. */
const PARTS_CHECKED_MS = 12 * 60_000;

/**
 * Calls `read` until the replicas of each shard have the same rows, for at most twelve minutes. Resolves to the rows of
 * each shard. A replica that loses the keeper while it writes a block shows the block although the insert failed and
 * another replica has the same rows. It detaches its copy after it has checked the part against the keeper.
 */
export async function settledShards(read: () => Promise<LaneRows[][]>): Promise<LaneRows[][]> {
  const deadline = Date.now() + PARTS_CHECKED_MS;
  for (;;) {
    const shards = await read();
    if (replicaDifferences(shards).length === 0 || Date.now() > deadline) return shards;
    await pause(5000);
  }
}

async function laneRows(server: ClickHouse): Promise<LaneRows> {
  const [events, deadLetters] = await Promise.all([
    identities(server, 'events'),
    identities(server, 'dead_letter_records'),
  ]);
  return { events, deadLetters };
}

/** Returns descriptions of replicas whose rows differ from those of the first replica of their shard. */
export function replicaDifferences(shards: readonly (readonly LaneRows[])[]): string[] {
  return shards.flatMap(([first, ...others], shard) =>
    others.flatMap((other, index) => {
      const of = `of replica ${index + 2} of shard ${shard + 1}`;
      return [
        ...differences(`events ${of}`, other.events, first?.events ?? []),
        ...differences(`dead letters ${of}`, other.deadLetters, first?.deadLetters ?? []),
      ];
    }),
  );
}

/** Returns identity and digest of each row of a table as stored on one server. */
async function identities(server: ClickHouse, table: string): Promise<string[]> {
  const rows = await server.rows<{ id: string }>(
    `read ${table}`,
    `SELECT concat(toString(partition), '/', toString(offset), ' ', lower(hex(MD5(raw)))) AS id FROM ${server.table(table)} ORDER BY partition, offset`,
  );
  return rows.map(({ id }) => id);
}

/** Returns a description if the two lists differ. */
function differences(what: string, actual: readonly string[], expected: readonly string[]): string[] {
  return JSON.stringify(actual) === JSON.stringify(expected)
    ? []
    : [`${what}: ${actual.length} rows, the first replica has ${expected.length}`];
}

function isStoreBlow(blow: Blow): blow is StoreBlow {
  return blow !== 'kill' && blow !== 'freeze' && blow !== 'leave' && blow !== 'kill broker';
}

/**
 * Sends SIGTERM, as an operator does. Resolves to the exit code. A process ends with 0 after it has stored all accepted
 * records.
 */
async function end(process: TraplineProcess): Promise<number> {
  await process.logged('ingest is running');
  await process.stop(60_000);
  const code = await process.exited;
  await process.endAll();
  return code;
}

async function bounce(service: Partial<Restartable>, random: SeededRandom): Promise<void> {
  await service.kill9?.();
  await pause(random.between(100, 1500));
  await service.restart?.();
}

/** Computes the results of an undisturbed run from the topic: one tracker per partition, fed in offset order. */
export function expectedOf(sent: readonly KafkaRecord[]) {
  const validate = createValidateStep({ signalDialect: 'v1' });
  const trackers = new Map<number, ReturnType<typeof createTracker>>();
  const expectedEvents: string[] = [];
  const expectedDeadLetters: string[] = [];
  const detections = new Map<string, DetectionFacts>();
  const announced: string[] = [];
  for (const { partition, offset, value } of sent) {
    const decoded = decodeRecord(value, { maxBytes: 2 ** 20 });
    const accepted = decoded.ok ? validate(decoded.payload) : decoded;
    (accepted.ok ? expectedEvents : expectedDeadLetters).push(`${partition}/${offset} ${digest(value)}`);
    if (!accepted.ok) continue;
    const tracker = trackers.get(partition) ?? createTracker(DEFAULT_DETECTION_SETTINGS);
    trackers.set(partition, tracker);
    tracker.feed(accepted);
    const output = tracker.drain();
    for (const detection of output.changed) detections.set(detection.id, factsOf(detection));
    for (const { id, revision, event } of output.announced) if (event !== null) announced.push(`${id} ${revision}`);
  }
  return {
    expectedEvents,
    expectedDeadLetters,
    expectedDetections: [...detections.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    expectedPublished: distinct(announced),
  };
}

/** Returns the MD5 of the bytes of a record, in the format of `identities`. */
export function digest(value: Buffer | null): string {
  return createHash('md5')
    .update(value ?? '')
    .digest('hex');
}

/** Returns the distinct names, sorted. */
export function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
