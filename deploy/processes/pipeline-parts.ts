import type { Registry } from 'prom-client';
import { isTemporary as isTemporaryForClickHouse } from '#analytics/clickhouse/failure.ts';
import type { LandingStore } from '#analytics/clickhouse/port.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import { isTemporary as isTemporaryForKafka } from '#ingest/kafka/failure.ts';
import { type ByteBudget, createByteBudget } from '#ingest/pipeline/byte-budget.ts';
import type { SchemaIds } from '#ingest/pipeline/frame-gate.ts';
import { createPipelineMetrics, type PipelineMetrics } from '#ingest/pipeline/metrics.ts';
import { createPipeline, type Pipeline } from '#ingest/pipeline/pipeline.ts';
import type { LaneLimits, PipelineLane, PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Publisher } from '#ingest/pipeline/publish.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import type { Config } from '../config.ts';
import { observeTrackers } from './observe-trackers.ts';
import type { RuleSource } from './rule-settings.ts';

/** Limits both steps of reading share, wherever events come in. */
export function readingOptions(config: Config) {
  return {
    limits: { maxBytes: config.pipeline.maxRecordBytes },
    validate: createValidateStep({ signalDialect: config.signalDialect }),
  };
}

export interface PipelineParts {
  readonly pipeline: Pipeline;
  readonly metrics: PipelineMetrics;
  readonly budget: ByteBudget;
}

/** Lanes of one process together make about this many inserts a second at most: small ones cost the server merges. */
const INSERTS_PER_SECOND = 16;
const MAX_LINGER_MS = 800;

/** The pipeline as configured, with its metrics and its share of the memory; both kinds of lanes are opened from it. */
export function createPipelineParts(
  config: Config,
  deps: {
    readonly store: LandingStore;
    readonly publisher: Publisher;
    readonly rules: RuleSource;
    readonly schemaIds?: SchemaIds | undefined;
    readonly registry: Registry;
    readonly log: PipelineLog;
    readonly lanes: () => readonly PipelineLane[];
  },
): PipelineParts {
  const { batchRows, batchBytes, batchAgeMs, queueBytes, snapshotEvents } = config.pipeline;
  const metrics = createPipelineMetrics(deps.registry);
  observeTrackers(deps.registry, deps.lanes);
  const budget = createByteBudget(queueBytes);
  const lane: LaneLimits = {
    batchRecords: batchRows,
    batchBytes,
    lingerMs: () => Math.max(batchAgeMs, Math.min(MAX_LINGER_MS, (deps.lanes().length * 1000) / INSERTS_PER_SECOND)),
    snapshotEvents,
    snapshotMs: 60_000,
  };
  const pipeline = createPipeline(
    {
      store: deps.store,
      publisher: deps.publisher,
      rules: { createTracker, settings: deps.rules.current },
      schemaIds: deps.schemaIds,
      isTemporary: (error) => isTemporaryForClickHouse(error) || isTemporaryForKafka(error),
      budget,
      metrics,
      log: deps.log,
      nowMs: Date.now,
    },
    { ...readingOptions(config), lane },
  );
  return { pipeline, metrics, budget };
}
