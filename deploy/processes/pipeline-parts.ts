import { isTemporary as isTemporaryForClickHouse } from '#analytics/clickhouse/failure.ts';
import type { LandingStore } from '#analytics/clickhouse/port.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { createDetectionTracker } from '#analytics/detections/user-rules/detection-tracker.ts';
import { isTemporary as isTemporaryForKafka } from '#ingest/kafka/failure.ts';
import { createByteBudget } from '#ingest/pipeline/byte-budget.ts';
import type { SchemaIds } from '#ingest/pipeline/frame-gate.ts';
import type { PipelineMetrics } from '#ingest/pipeline/metrics.ts';
import { createPipeline, type Pipeline } from '#ingest/pipeline/pipeline.ts';
import type { LaneLimits, PipelineLane, PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Publisher } from '#ingest/pipeline/publish.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import type { Config } from '../config.ts';
import type { SharedByThreads } from './shared-by-threads.ts';

/** Limits that all event readers share. */
export function readingOptions(config: Pick<Config, 'pipeline' | 'signalDialect'>) {
  return {
    limits: { maxBytes: config.pipeline.maxRecordBytes },
    validate: createValidateStep({ signalDialect: config.signalDialect }),
  };
}

/**
 * Approximate maximum number of inserts per second for all lanes of a process, and the same again for urgent batches.
 * Small inserts cost the server merges.
 */
const INSERTS_PER_SECOND = 16;
const MAX_LINGER_MS = 800;
/** Requests and records that arrive within this time land together. */
const IDLE_LINGER_MS = 10;

export interface PipelineParts {
  readonly store: LandingStore;
  readonly publisher: Publisher;
  /** Returns the settings of the rules. */
  readonly settings: () => DetectionSettings;
  readonly schemaIds?: SchemaIds | undefined;
  readonly metrics: PipelineMetrics;
  readonly log: PipelineLog;
  readonly tracing?: Tracing | undefined;
  readonly lanes: () => readonly PipelineLane[];
  /** Number of threads that share the memory and the inserts of the process, each with its own pipeline. */
  readonly threads?: number;
  /** State shared by these threads. */
  readonly shared?: SharedByThreads;
}

/** Creates the configured pipeline, for lanes of Kafka and local lanes. */
export function createConfiguredPipeline(
  config: Pick<Config, 'pipeline' | 'signalDialect'>,
  { threads = 1, shared, settings, lanes, ...deps }: PipelineParts,
): Pipeline {
  const { batchRows, batchBytes, batchAgeMs, queueBytes, snapshotEvents } = config.pipeline;
  const insertIntervalMs = () => (lanes().length * threads * 1000) / INSERTS_PER_SECOND;
  const lane: LaneLimits = {
    batchRecords: batchRows,
    batchBytes,
    lingerMs: () => Math.max(batchAgeMs, Math.min(MAX_LINGER_MS, insertIntervalMs())),
    idleLingerMs: IDLE_LINGER_MS,
    smallBatchIntervalMs: insertIntervalMs,
    earlyIntervalMs: 1000 / INSERTS_PER_SECOND,
    snapshotEvents,
    snapshotMs: 60_000,
  };
  return createPipeline(
    {
      ...deps,
      rules: { createTracker: createDetectionTracker, settings },
      isTemporary: (error) => isTemporaryForClickHouse(error) || isTemporaryForKafka(error),
      budget: createByteBudget(queueBytes, shared?.budget),
      earlySealed: shared?.earlySealed,
      nowMs: Date.now,
    },
    { ...readingOptions(config), lane },
  );
}
