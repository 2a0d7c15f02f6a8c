import { Worker } from 'node:worker_threads';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { DEFAULT_DETECTION_SETTINGS, type DetectionSettings } from '#analytics/detections/settings.ts';
import { resolveConfig } from '#deploy/config/resolve.ts';
import type { LaneThreadData } from '#deploy/processes/lane-thread-data.ts';
import { createSharedByThreads } from '#deploy/processes/shared-by-threads.ts';
import type { OutgoingMessage, TopicPartition } from '#ingest/kafka/port.ts';
import { createPipelineMetrics } from '#ingest/pipeline/metrics.ts';
import { createLaneThreads } from '#ingest/threads/lane-threads.ts';
import { deadOffsets, landedNumbers } from '#test/support/lane-fixture.ts';
import { numberedRecords } from '#test/support/numbered-records.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { randomName, useClickHouse } from '#test/support/use-services.ts';

let service: Awaited<ReturnType<typeof useClickHouse>>;
let clickhouse: ClickHouse;
const opened: { end(): Promise<void> }[] = [];

beforeAll(async () => {
  service = await useClickHouse();
  clickhouse = createClickHouse(service);
  await migrate(clickhouse);
});
afterAll(() => clickhouse.close());
afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.end();
});

/** Threads as `ingest` starts them. The test acts as the consumer. */
function openThreads(threads: number, environment: Record<string, string> = {}) {
  const workers: Worker[] = [];
  const failures: unknown[] = [];
  const commits = new Map<number, number>();
  const published: { topic: string; messages: readonly OutgoingMessage[] }[] = [];
  let settings: DetectionSettings = DEFAULT_DETECTION_SETTINGS;
  const resolved = resolveConfig({
    environment: {
      LOG_LEVEL: 'fatal',
      CLICKHOUSE_URL: service.url,
      CLICKHOUSE_USER: service.user,
      CLICKHOUSE_PASSWORD: service.password,
      CLICKHOUSE_DATABASE: clickhouse.database,
      ...environment,
    },
  });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  const registry = new Registry();
  const shared = createSharedByThreads();
  /** Paused partitions. */
  const paused = new Set<number>();
  const host = createLaneThreads({
    threads,
    spawn(current) {
      const workerData: LaneThreadData = { config: resolved.config, threads, shared, settings: current };
      const worker = new Worker(new URL('../../../deploy/processes/lane-thread.ts', import.meta.url), { workerData });
      workers.push(worker);
      return worker;
    },
    settings: () => settings,
    producer: { send: async (topic, messages) => void published.push({ topic, messages }) },
    metrics: createPipelineMetrics(registry),
    idleBytes: 2 ** 20,
    endOf: async () => 0,
    failed: (error) => failures.push(error),
  });
  opened.push(host);
  host.attach({
    async commit({ partition }, nextOffset) {
      commits.set(partition, nextOffset);
      return true;
    },
    pause: ({ partition }) => void paused.add(partition),
    resume: ({ partition }) => void paused.delete(partition),
    highWatermark: () => 1_000_000,
  });
  const change = (changed: DetectionSettings) => {
    settings = changed;
  };
  return { host, workers, failures, commits, published, registry, change, paused };
}

/** Numbered records of a partition, as a consumer delivers them. */
function kafkaRecords(topic: string, partition: number, count: number) {
  return numberedRecords(seededRandom(partition + 1), partition * count, count, topic).map(({ value }, offset) => ({
    topic,
    partition,
    offset,
    key: null,
    value: Buffer.from(value),
    timestamp: 0,
    headers: {},
  }));
}

it('store every record of every partition once, commit after the last, and publish and count in the thread of the consumer', async () => {
  const topic = randomName('topic');
  const partitions = [0, 1, 2].map((partition) => ({ topic, partition }));
  const { host, commits, published, registry, failures } = openThreads(2);
  await host.assigned(partitions);
  for (const at of partitions) await host.batch(at, kafkaRecords(topic, at.partition, 1500));
  await host.close();
  const accepted = await landedNumbers(clickhouse, topic);
  const refused = await deadOffsets(clickhouse, topic);
  expect(accepted.length + refused.length).toBe(4500);
  expect(new Set(accepted).size).toBe(accepted.length);
  expect(Object.fromEntries(commits)).toEqual({ 0: 1500, 1: 1500, 2: 1500 });
  const buried = published.flatMap(({ messages }) => messages).filter(({ headers }) => headers?.code !== undefined);
  expect(buried).toHaveLength(refused.length);
  expect(buried.every(({ value }) => Buffer.isBuffer(value))).toBe(true);
  expect(await registry.metrics()).toContain(`trapline_events_total{result="accepted"} ${accepted.length}`);
  expect((await host.stats()).map(({ state }) => state)).toEqual(['closed', 'closed', 'closed']);
  await host.end();
  expect([await host.stats(), await host.waiting()]).toEqual([[], []]);
  expect(failures).toEqual([]);
});

it('share memory for a few batches: partitions that are far behind in both threads take turns until all records are stored', async () => {
  const topic = randomName('topic');
  const partitions = [0, 1, 2, 3].map((partition) => ({ topic, partition }));
  const { host, commits, paused, failures } = openThreads(2, { TRAPLINE_QUEUE_BYTES: String(2 ** 18) });
  await host.assigned(partitions);
  let held = 0;
  const read = async (at: TopicPartition): Promise<void> => {
    const records = kafkaRecords(topic, at.partition, 1000);
    for (let from = 0; from < records.length; from += 100) {
      if (paused.has(at.partition)) held += 1;
      await expect.poll(() => paused.has(at.partition)).toBe(false);
      await host.batch(at, records.slice(from, from + 100));
    }
  };
  await Promise.all(partitions.map(read));
  await host.close();
  expect((await landedNumbers(clickhouse, topic)).length + (await deadOffsets(clickhouse, topic)).length).toBe(4000);
  expect(Object.fromEntries(commits)).toEqual({ 0: 1000, 1: 1000, 2: 1000, 3: 1000 });
  expect(held).toBeGreaterThan(0);
  expect(failures).toEqual([]);
});

it('are not delayed by messages about a lost partition: it continues in the thread that it is assigned to', async () => {
  const topic = randomName('topic');
  const [first, second] = [
    { topic, partition: 0 },
    { topic, partition: 1 },
  ];
  const { host, commits } = openThreads(2);
  const records = kafkaRecords(topic, 1, 400);
  await host.assigned([first, second]);
  await host.batch(second, records.slice(0, 200));
  await host.assigned([first]);
  await host.assigned([second]);
  await host.batch(second, records);
  await host.close();
  expect((await landedNumbers(clickhouse, topic)).length + (await deadOffsets(clickhouse, topic)).length).toBe(400);
  expect(commits.get(1)).toBe(400);
});

it('that end are reported as a failure, and their records are stored once by the next process', async () => {
  const topic = randomName('topic');
  const at = { topic, partition: 0 };
  const records = kafkaRecords(topic, 0, 3000);
  const before = openThreads(1);
  await before.host.assigned([at]);
  await before.host.batch(at, records);
  await before.workers[0]?.terminate();
  await expect.poll(() => before.failures.map(String)).toContainEqual(expect.stringContaining('LaneThreadEnded'));
  await expect(before.host.batch(at, records)).rejects.toThrow('a lane thread ended');
  await before.host.close();
  const after = openThreads(1);
  await after.host.assigned([at]);
  await after.host.batch(at, records);
  await after.host.close();
  const accepted = await landedNumbers(clickhouse, topic);
  expect(new Set(accepted).size).toBe(accepted.length);
  expect(accepted.length + (await deadOffsets(clickhouse, topic)).length).toBe(3000);
  expect(after.commits.get(0)).toBe(3000);
});

it('that hang are reported as a failure', async () => {
  const failures: unknown[] = [];
  const host = createLaneThreads({
    threads: 1,
    spawn: () => new Worker('for (;;);', { eval: true }),
    settings: () => DEFAULT_DETECTION_SETTINGS,
    producer: { send: async () => {} },
    metrics: createPipelineMetrics(new Registry()),
    idleBytes: 0,
    endOf: async () => 0,
    failed: (error) => failures.push(error),
    watch: { everyMs: 5, rounds: 3 },
  });
  opened.push(host);
  const assigned = host.assigned([{ topic: 'hangs', partition: 0 }]);
  await expect(assigned).rejects.toThrow('does not respond any more');
  expect(failures.map(String)).toEqual(['LaneThreadEnded: a lane thread does not respond any more']);
});

it('apply changed settings before the records after the change', async () => {
  const topic = randomName('topic');
  const at = { topic, partition: 0 };
  const { host, change } = openThreads(1);
  await host.assigned([at]);
  change({ ...DEFAULT_DETECTION_SETTINGS, limits: { ...DEFAULT_DETECTION_SETTINGS.limits, maxPrograms: 77_777 } });
  await host.batch(at, kafkaRecords(topic, 0, 500));
  await host.close();
  const [row] = await clickhouse.rows<{ settings: string }>(
    'read the newest snapshot',
    `SELECT data AS settings FROM ${clickhouse.table('tracker_snapshots')}
     WHERE topic = {topic:String} AND startsWith(data, 'trapline-rule-settings') ORDER BY offset DESC LIMIT 1`,
    { params: { topic } },
  );
  expect(row?.settings).toContain('"maxPrograms":77777');
});
