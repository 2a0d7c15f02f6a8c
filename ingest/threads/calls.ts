import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { OutgoingMessage, TopicPartition } from '../kafka/port.ts';
import type { WaitingPartition } from '../pipeline/kafka-lanes.ts';
import type { PackedChunk } from '../pipeline/packed-records.ts';
import type { LaneStats } from '../pipeline/pipeline-lane.ts';
import type { RecordTrace } from '../pipeline/record-traces.ts';
import type { MetricCall } from './relayed-metrics.ts';
import type { SendOutcome } from './relayed-producer.ts';

export interface MovedChunk extends PackedChunk {
  readonly traces: readonly RecordTrace[] | undefined;
}

/**
 * Records of one partition, sent to a lane thread. Their memory is shared or transferred, never copied, and returned by
 * `released`.
 */
export interface MovedBatch {
  readonly partition: TopicPartition;
  readonly chunks: readonly MovedChunk[];
  readonly nextOffset: number;
  readonly highWatermark: number | undefined;
}

/** Calls from the consumer thread to a lane thread. */
export type LaneThreadCalls = {
  /** Sets the partitions of this thread. Resolves when all other partitions are abandoned. */
  assigned(partitions: readonly TopicPartition[]): Promise<void>;
  /** Resolves when the batch is accepted, after any resulting pause is in effect. */
  batch(batch: MovedBatch): Promise<void>;
  /** Notes that another thread has landed records and freed shared memory. */
  memoryFreed(nothing: undefined): void;
  /** Sets the rule settings, which apply from the next batch on. */
  settings(settings: DetectionSettings): void;
  report(nothing: undefined): Promise<LaneReport>;
  /** Resolves when all accepted records have landed and are committed. */
  close(nothing: undefined): Promise<void>;
  abandon(nothing: undefined): void;
};

export interface LaneReport {
  readonly stats: readonly LaneStats[];
  readonly waiting: readonly WaitingPartition[];
}

/** Calls from a lane thread to the consumer thread. */
export type ConsumerThreadCalls = {
  commit(position: { readonly partition: TopicPartition; readonly nextOffset: number }): Promise<boolean>;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  endOf(partition: TopicPartition): Promise<number>;
  send(sending: { readonly topic: string; readonly messages: readonly OutgoingMessage[] }): Promise<SendOutcome>;
  /** Returns the memory of landed records. */
  released(memories: readonly Uint8Array[]): void;
  metrics(calls: readonly MetricCall[]): void;
  failed(error: unknown): void;
};
