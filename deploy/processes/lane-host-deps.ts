import type { LandingStore } from '#analytics/clickhouse/port.ts';
import type { EventProducer, TopicPartition } from '#ingest/kafka/port.ts';
import type { PipelineMetrics } from '#ingest/pipeline/metrics.ts';
import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import type { RuleSource } from './rule-settings.ts';

/** Dependencies of the lanes of a consumer's partitions, in any thread. */
export interface LaneHostDeps {
  readonly producer: EventProducer;
  readonly store: LandingStore;
  readonly rules: RuleSource;
  readonly metrics: PipelineMetrics;
  readonly log: PipelineLog;
  readonly tracing: Tracing;
  readonly endOf: (partition: TopicPartition) => Promise<number>;
  readonly failed: (error: unknown) => void;
}
