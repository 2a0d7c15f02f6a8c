import type { Registry } from 'prom-client';
import type { LandingStore } from '#analytics/clickhouse/port.ts';
import type { SubmitEvents } from '#ingest/http/submission.ts';
import { createLaneSubmission } from '#ingest/http/submit-events.ts';
import { createPipelineMetrics } from '#ingest/pipeline/metrics.ts';
import type { LaneStats, PipelineLane, PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import { noTopics } from '#ingest/pipeline/publish.ts';
import { LOCAL_TOPICS } from '#schemas/topics.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import type { Config } from '../config.ts';
import type { Lifecycle } from './lifecycle.ts';
import { observeTrackers } from './observe-trackers.ts';
import { createConfiguredPipeline } from './pipeline-parts.ts';
import type { RuleSource } from './rule-settings.ts';

export interface LocalRole {
  /** Submits events through this process's own lane. Durable means landed. */
  readonly submit: SubmitEvents;
  readonly lanes: () => Promise<readonly LaneStats[]>;
  /** Opens another local source with its own topic. It is closed by `close`, or when the process ends. */
  openSource(topic: string): { readonly submit: SubmitEvents; close(): Promise<void> };
}

/**
 * Starts the pipeline without Kafka. The topic contains the id of the data directory, so that no two processes assign
 * the same offsets.
 */
export async function startLocalRole(
  config: Config,
  deps: {
    readonly lifecycle: Lifecycle;
    readonly instanceId: string;
    readonly store: LandingStore;
    readonly rules: RuleSource;
    readonly registry: Registry;
    readonly tracing: Tracing;
    readonly log: PipelineLog;
    readonly failed: (error: unknown) => void;
  },
): Promise<LocalRole> {
  const { lifecycle, instanceId, store, rules, registry, tracing, log, failed } = deps;
  const lanes = new Set<PipelineLane>();
  /** When a source that is now closed last landed a batch. Without it, the time of the process would go backwards. */
  let closedLandedMs: number | undefined;
  const stats = async () =>
    [...lanes].map((lane) => {
      const own = lane.stats();
      return { ...own, lastLandedMs: later(own.lastLandedMs, closedLandedMs) };
    });
  observeTrackers(registry, stats);
  const pipeline = createConfiguredPipeline(config, {
    store,
    publisher: noTopics,
    settings: rules.current,
    metrics: createPipelineMetrics(registry),
    log,
    tracing,
    lanes: () => [...lanes],
  });
  const open = (topic: string): PipelineLane => {
    const owner = { commit: async () => {}, hasRoom: () => {}, isBehind: () => false, isFed: () => true, failed };
    const lane = pipeline.openLane({ topic, partition: 0 }, owner, { counted: true });
    lanes.add(lane);
    return lane;
  };

  const lane = await lifecycle.start('local lanes', async () => {
    const value = open(`${LOCAL_TOPICS.http}.${instanceId}`);
    await value.opened;
    const stop = async () => {
      await Promise.all([...lanes].map((one) => one.close()));
    };
    return { value, stop };
  });
  return {
    submit: createLaneSubmission(lane, { timeoutMs: config.pipeline.submitTimeoutMs }),
    lanes: stats,
    openSource(topic) {
      const source = open(topic);
      return {
        submit: createLaneSubmission(source),
        async close() {
          await source.close();
          closedLandedMs = later(closedLandedMs, source.stats().lastLandedMs);
          lanes.delete(source);
        },
      };
    },
  };
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
