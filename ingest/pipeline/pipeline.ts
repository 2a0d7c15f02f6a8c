import type { LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import { createEventDecoder } from '#analytics/event-decoder/decoder.ts';
import { NO_TRACING, type Tracing } from '#schemas/tracing/tracing.ts';
import { traceBatch } from './batch-trace.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DecodeLimits } from './decode.ts';
import { createEarlySeals, type SharedSealTime } from './early-seals.ts';
import { createFrameGate, type SchemaIds } from './frame-gate.ts';
import { createIngestIdGate } from './ingest-id-gate.ts';
import { landBatch } from './land.ts';
import { createLandingHealth } from './landing-health.ts';
import { createLane } from './lane.ts';
import type { LaneOwner } from './lane-owner.ts';
import type { LaneRules } from './lane-settings.ts';
import { createMemoryPool } from './memory-pool.ts';
import type { PipelineMetrics } from './metrics.ts';
import { openLane } from './open-lane.ts';
import { type PackedRecords, packRecords, readPacked } from './packed-records.ts';
import type { LaneLimits, PipelineLane, PipelineLog } from './pipeline-lane.ts';
import type { PipelineRecord } from './pipeline-record.ts';
import type { Publisher } from './publish.ts';
import type { ReadSchedulerOptions } from './read-scheduler.ts';
import { createRecordSteps } from './record-steps.ts';
import { retrying } from './retry.ts';
import { createTaskQueue } from './task-queue.ts';
import type { Validate } from './validate.ts';

export interface PipelineDeps {
  readonly store: LandingStore;
  readonly publisher: Publisher;
  /** Settings can change between two batches. */
  readonly rules: LaneRules;
  /** Absent if no schema registry is configured. Frames are then validated by their payload alone. */
  readonly schemaIds?: SchemaIds | undefined;
  readonly isTemporary: (error: unknown) => boolean;
  readonly budget: ByteBudget;
  /** Default: this pipeline does not share the limit of early seals with other pipelines. */
  readonly earlySealed?: SharedSealTime | undefined;
  readonly metrics: PipelineMetrics;
  readonly log: PipelineLog;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
  readonly nowMs: () => number;
}

export interface PipelineOptions {
  readonly limits: DecodeLimits;
  readonly validate: Validate;
  readonly lane: LaneLimits;
}

export interface Pipeline {
  /** True if the caller should pass the traces of records with chunks. */
  readonly isTraced: boolean;
  /** `counted`: the lane assigns offsets (for sources other than Kafka). */
  openLane(lane: Lane, owner: LaneOwner, options?: { counted?: boolean }): PipelineLane;
  /** Packs records into the form that a lane keeps. */
  pack(records: readonly PipelineRecord[]): PackedRecords;
  /** The size of a batch, and whether there is memory for another one: for sources that are read in turns. */
  readonly turn: Pick<ReadSchedulerOptions, 'limits' | 'hasRoomForBatch'>;
}

/**
 * Composes all steps of a record, in order:
 *
 *   bytes → frame and ingest-id gates (may wait) → decode → validate → de-duplicate → derive → encode
 *         → seal (by size or age) → land dead letters, land detections → publish → land events → commit
 *
 * There is one lane per (topic, partition). Order is kept within a lane.
 */
export function createPipeline(deps: PipelineDeps, options: PipelineOptions): Pipeline {
  const { store, publisher, rules, schemaIds, isTemporary, budget, metrics, log, nowMs, tracing = NO_TRACING } = deps;
  const { limits, validate } = options;

  const pool = createMemoryPool(budget.limit / 2);
  const pack = (records: readonly PipelineRecord[]) => readPacked(packRecords(records, pool), pool.release);
  const enqueueTask = createTaskQueue();
  const early = createEarlySeals(options.lane.earlyIntervalMs, deps.earlySealed);
  const frameGate = createFrameGate(schemaIds);
  const decoder = createEventDecoder(validate.shapes);
  const takeIn = createRecordSteps({ limits, validate, decoder, judgeSchemaId: frameGate.judge }, metrics);

  const { batchRecords, batchBytes } = options.lane;
  // Three batches must fit: one that lands, one that fills and one that is being fetched.
  const oneBatch = Math.min(batchBytes, budget.limit / 3);
  return {
    isTraced: tracing.isOn,
    pack,
    turn: {
      limits: { records: batchRecords, bytes: oneBatch },
      hasRoomForBatch: () => budget.used() + oneBatch <= budget.limit,
    },
    openLane(lane, owner, { counted = false } = {}) {
      const stopping = new AbortController();
      const health = createLandingHealth(nowMs);
      const retry = async <T>(operation: string, run: () => Promise<T>): Promise<T> => {
        const result = await retrying(operation, run, {
          isTemporary,
          signal: stopping.signal,
          onRetry(name, attempt, error) {
            health.failed(name);
            metrics.retried(name);
            log.warn({ ...lane, operation: name, attempt, err: error }, 'temporary failure, retrying');
          },
        });
        health.succeeded(operation);
        return result;
      };
      return createLane({
        lane,
        counted,
        limits: options.lane,
        budget: budget.join(),
        stopping,
        owner,
        metrics,
        log,
        nowMs,
        open: () => retry('open lane', () => openLane(store, lane, rules)),
        rules,
        gates: [frameGate, createIngestIdGate((ids) => retry('look up ingest ids', () => store.landedIngestIds(ids)))],
        pack,
        takeIn,
        enqueueTask,
        early,
        async land(batch, state) {
          const trace = traceBatch(tracing, { lane, batch, nowMs: nowMs() });
          const steps = { store, publisher, retry: trace?.around(retry) ?? retry, traceOf: trace?.ofDetection };
          try {
            const outcome = await landBatch(batch, state, steps);
            trace?.end(outcome === 'landed' ? 'landed' : 'fenced');
            if (outcome !== 'landed') return outcome;
            health.landed();
            return { outcome, traceOf: trace?.ofDetection ?? noTrace };
          } catch (error) {
            trace?.fail(error);
            throw error;
          }
        },
        landing: health.state,
        store,
      });
    },
  };
}

function noTrace(): undefined {
  return undefined;
}
