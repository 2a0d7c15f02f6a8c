import { Registry } from 'prom-client';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { ClickHouseFailure, isTemporary } from '#analytics/clickhouse/failure.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import type { LandingStore } from '#analytics/clickhouse/port.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import { createByteBudget } from '#ingest/pipeline/byte-budget.ts';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { createPipelineMetrics } from '#ingest/pipeline/metrics.ts';
import { createPipeline, type PipelineDeps } from '#ingest/pipeline/pipeline.ts';
import type { LaneLimits, PipelineLane } from '#ingest/pipeline/pipeline-lane.ts';
import { bytesOf, type PipelineRecord } from '#ingest/pipeline/pipeline-record.ts';
import { noTopics } from '#ingest/pipeline/publish.ts';
import type { ChunkOutcome } from '#ingest/pipeline/record.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import { type DetectionFacts, factsOf } from './detection-facts.ts';

export interface LaneFixture {
  readonly lane: PipelineLane;
  readonly commits: number[];
  readonly failures: unknown[];
  readonly registry: Registry;
  /** Sends records to the lane. Resolves when they are stored. */
  send(records: readonly PipelineRecord[]): Promise<ChunkOutcome>;
}

export interface LaneFixtureOptions {
  readonly topic: string;
  readonly partition?: number;
  readonly counted?: boolean;
  readonly limits?: Partial<LaneLimits>;
  readonly deps?: Partial<PipelineDeps>;
  readonly store?: LandingStore;
}

/** Creates the pipeline as a process does, on the real store. */
export function createTestPipeline(
  clickhouse: ClickHouse,
  options: Pick<LaneFixtureOptions, 'store' | 'deps' | 'limits'> = {},
) {
  const registry = new Registry();
  const metrics = createPipelineMetrics(registry);
  const log = { info: quiet, warn: quiet, error: quiet };
  const pipeline = createPipeline(
    {
      store: options.store ?? createLandingStore({ clickhouse }),
      publisher: noTopics,
      rules: { createTracker, settings: () => DEFAULT_DETECTION_SETTINGS },
      isTemporary,
      budget: createByteBudget(64 * 2 ** 20),
      metrics,
      log,
      nowMs: Date.now,
      ...options.deps,
    },
    {
      limits: { maxBytes: 2 ** 20 },
      validate: createValidateStep({ signalDialect: 'v1' }),
      lane: {
        batchRecords: 1000,
        batchBytes: 2 ** 20,
        lingerMs: () => 10,
        idleLingerMs: Number.POSITIVE_INFINITY,
        smallBatchIntervalMs: () => Number.POSITIVE_INFINITY,
        earlyIntervalMs: Number.POSITIVE_INFINITY,
        snapshotEvents: 500,
        snapshotMs: 60_000,
        ...options.limits,
      },
    },
  );
  return { pipeline, registry, metrics, log };
}

const quiet = () => {};

/** Opens a lane as a process does, on the real store. */
export function openTestLane(clickhouse: ClickHouse, options: LaneFixtureOptions): LaneFixture {
  const commits: number[] = [];
  const failures: unknown[] = [];
  const { pipeline, registry } = createTestPipeline(clickhouse, options);
  const lane = pipeline.openLane(
    { topic: options.topic, partition: options.partition ?? 0 },
    {
      commit: async (next) => void commits.push(next),
      hasRoom: quiet,
      isBehind: () => false,
      isFed: () => true,
      failed: (error) => failures.push(error),
    },
    { counted: options.counted ?? false },
  );
  return {
    lane,
    commits,
    failures,
    registry,
    send: (records) =>
      new Promise((landed, failed) => lane.offer({ records, bytes: bytesOf(records), landed, failed })),
  };
}

/** Returns a store that calls `meddle` before each operation. `meddle` may throw or wait. */
export function meddledStore(
  store: LandingStore,
  meddle: (operation: keyof LandingStore) => void | Promise<void>,
): LandingStore {
  const through = <
    K extends 'marks' | 'landEvents' | 'landDeadLetters' | 'landDetections' | 'saveSnapshot' | 'landedIngestIds',
  >(
    operation: K,
  ): LandingStore[K] =>
    (async (...args: unknown[]) => {
      await meddle(operation);
      return (store[operation] as (...all: unknown[]) => unknown)(...args);
    }) as LandingStore[K];
  return {
    ...store,
    marks: through('marks'),
    landEvents: through('landEvents'),
    landDeadLetters: through('landDeadLetters'),
    landDetections: through('landDetections'),
    saveSnapshot: through('saveSnapshot'),
    landedIngestIds: through('landedIngestIds'),
  };
}

/** Returns a failure as seen while a server restarts. */
export function temporaryFailure(operation: string): ClickHouseFailure {
  return new ClickHouseFailure(operation, Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
}

/** Returns the numbers (`n` in the raw text) of stored events in the lane's order, including duplicates. */
export async function landedNumbers(clickhouse: ClickHouse, topic: string): Promise<number[]> {
  const rows = await clickhouse.rows<{ n: string }>(
    'read landed numbers',
    `SELECT JSONExtractInt(raw, 'n') AS n FROM ${clickhouse.table('events')} WHERE topic = {topic:String} ORDER BY partition, offset`,
    { params: { topic } },
  );
  return rows.map((row) => Number(row.n));
}

export async function deadOffsets(clickhouse: ClickHouse, topic: string): Promise<number[]> {
  const rows = await clickhouse.rows<{ offset: string }>(
    'read dead letters',
    `SELECT offset FROM ${clickhouse.table('dead_letters')} WHERE topic = {topic:String} ORDER BY partition, offset`,
    { params: { topic } },
  );
  return rows.map((row) => Number(row.offset));
}

/** Returns the final detections of a lane's records as an undisturbed run derives them, without any store. */
export function undisturbedDetections(records: readonly PipelineRecord[]): DetectionFacts[] {
  const validate = createValidateStep({ signalDialect: 'v1' });
  const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  for (const { value } of records) {
    const decoded = decodeRecord(value, { maxBytes: 2 ** 20 });
    const accepted = decoded.ok ? validate(decoded.payload) : decoded;
    if (accepted.ok) tracker.feed(accepted);
  }
  return tracker.drain().changed.map(factsOf).sort(byId);
}

/** Returns the latest revisions from ClickHouse for hosts with the prefix. */
export async function storedDetections(clickhouse: ClickHouse, hostPrefix: string): Promise<DetectionFacts[]> {
  const rows = await clickhouse.rows<object>(
    'read detections',
    `SELECT id, revision, severity, hostname, crashes, suppressedAtLeast, valuesTotal, evidenceCount, message
     FROM ${clickhouse.table('detections')} WHERE startsWith(ifNull(hostname, ''), {prefix:String})`,
    { params: { prefix: `${hostPrefix}-` } },
  );
  return rows.map(factsOf).sort(byId);
}

function byId(a: DetectionFacts, b: DetectionFacts): number {
  return a.id < b.id ? -1 : 1;
}
