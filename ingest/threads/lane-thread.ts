import type { MessagePort } from 'node:worker_threads';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { EventProducer } from '../kafka/port.ts';
import { createKafkaLanes, type FeedingConsumer, keyOf } from '../pipeline/kafka-lanes.ts';
import type { PipelineMetrics } from '../pipeline/metrics.ts';
import { readPacked } from '../pipeline/packed-records.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { PipelineLane, PipelineLog } from '../pipeline/pipeline-lane.ts';
import type { ConsumerThreadCalls, LaneThreadCalls } from './calls.ts';
import { createLink, portableError } from './link.ts';
import { createRelayedMetrics } from './relayed-metrics.ts';
import { createRelayedProducer } from './relayed-producer.ts';

/** The parts of a pipeline in a lane thread that are provided by the consumer thread. */
export interface LaneThreadParts {
  readonly producer: Pick<EventProducer, 'send'>;
  readonly metrics: PipelineMetrics;
  readonly settings: () => DetectionSettings;
  readonly lanes: () => readonly PipelineLane[];
}

export interface LaneThreadOptions {
  readonly log: PipelineLog;
  /** The settings of the rules at the start of the thread. */
  readonly settings: DetectionSettings;
  /** Sends collected telemetry before the thread ends. */
  readonly flush?: () => Promise<void>;
  readonly createPipeline: (parts: LaneThreadParts) => Pipeline;
}

/**
 * Runs the lanes of some partitions in this thread. They are the same lanes as in a process without threads. Their
 * consumer is in the thread at the other end of `port`.
 */
export function runLaneThread(
  port: MessagePort,
  { log, settings, createPipeline, flush = async () => {} }: LaneThreadOptions,
): void {
  let currentSettings = settings;
  const highWatermarks = new Map<string, number | undefined>();
  const released: Buffer[] = [];
  const failed = (error: unknown) => consumerThread.notify('failed', portableError(error));
  const consumerThread = createLink<ConsumerThreadCalls, LaneThreadCalls>(
    port,
    {
      async assigned(partitions) {
        highWatermarks.clear();
        await lanes.assigned(partitions);
      },
      async batch({ partition, chunks, nextOffset, highWatermark }) {
        highWatermarks.set(keyOf(partition), highWatermark);
        await lanes.take(partition, {
          chunks: chunks.map((chunk) => ({
            records: readPacked(chunk, releaseMemory),
            bytes: chunk.bytes,
            traces: chunk.traces,
          })),
          nextOffset,
        });
      },
      memoryFreed: () => lanes.memoryFreed(),
      settings(changed) {
        currentSettings = changed;
      },
      report: async () => ({ stats: await lanes.stats(), waiting: await lanes.waiting() }),
      async close() {
        await lanes.close();
        await flush();
      },
      abandon: () => lanes.abandon(),
    },
    failed,
  );
  const metrics = createRelayedMetrics((calls) => consumerThread.notify('metrics', calls));
  const pipeline = createPipeline({
    producer: createRelayedProducer((sending) => consumerThread.ask('send', sending)),
    metrics,
    settings: () => currentSettings,
    lanes: () => lanes.lanes(),
  });
  const lanes = createKafkaLanes({
    pipeline,
    metrics,
    log,
    endOf: (partition) => consumerThread.ask('endOf', partition),
    failed,
  });
  const consumer: FeedingConsumer = {
    commit: (partition, nextOffset) => consumerThread.ask('commit', { partition, nextOffset }),
    pause: (partition) => consumerThread.notify('pause', partition),
    resume: (partition) => consumerThread.notify('resume', partition),
    highWatermark: (partition) => highWatermarks.get(keyOf(partition)),
  };
  lanes.attach(consumer);

  /** The chunks of a batch land together, so one message returns the memory of all. */
  function releaseMemory(memory: Buffer): void {
    if (!(memory.buffer instanceof SharedArrayBuffer)) return;
    if (released.push(memory) > 1) return;
    queueMicrotask(() => consumerThread.notify('released', released.splice(0)));
  }
}
