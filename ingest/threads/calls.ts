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

/** Records of one partition on their way into a lane thread. Their memory is shared or moved, never copied, and comes back by `released`. */
export interface MovedBatch {
  readonly partition: TopicPartition;
  readonly chunks: readonly MovedChunk[];
  readonly nextOffset: number;
  readonly highWatermark: number | undefined;
}

/** What the thread of the consumer asks of a thread of lanes. */
export type LaneThreadCalls = {
  /** The partitions this thread has from now on. Answered when the others are given up. */
  assigned(partitions: readonly TopicPartition[]): Promise<void>;
  /** Answered when it is taken over, after whatever pause follows from it. */
  batch(batch: MovedBatch): Promise<void>;
  /** Another thread has landed records, and so freed memory that the threads share. */
  memoryFreed(nothing: undefined): void;
  /** Of the rules; hold from the next batch on. */
  settings(settings: DetectionSettings): void;
  report(nothing: undefined): Promise<LaneReport>;
  /** Answered when everything taken over is landed and committed. */
  close(nothing: undefined): Promise<void>;
  abandon(nothing: undefined): void;
};

export interface LaneReport {
  readonly stats: readonly LaneStats[];
  readonly waiting: readonly WaitingPartition[];
}

/** What a thread of lanes asks of the thread of the consumer. */
export type ConsumerThreadCalls = {
  commit(position: { readonly partition: TopicPartition; readonly nextOffset: number }): Promise<boolean>;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  endOf(partition: TopicPartition): Promise<number>;
  send(sending: { readonly topic: string; readonly messages: readonly OutgoingMessage[] }): Promise<SendOutcome>;
  /** Memory of records that have landed. */
  released(memories: readonly Uint8Array[]): void;
  metrics(calls: readonly MetricCall[]): void;
  failed(error: unknown): void;
};
