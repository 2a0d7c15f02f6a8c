import type { Worker } from 'node:worker_threads';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { EventProducer, TopicPartition } from '../kafka/port.ts';
import { type FeedingConsumer, keyOf, type LaneHost } from '../pipeline/kafka-lanes.ts';
import { createMemoryPool, type MemoryPool } from '../pipeline/memory-pool.ts';
import type { PipelineMetrics } from '../pipeline/metrics.ts';
import { packRecords } from '../pipeline/packed-records.ts';
import { chunksOf } from '../pipeline/records-of-kafka.ts';
import { type AnswerWatchOptions, watchAnswers } from './answer-watch.ts';
import type { ConsumerThreadCalls, LaneThreadCalls } from './calls.ts';
import { createLink, type Link } from './link.ts';
import { countRelayed } from './relayed-metrics.ts';
import { sendFor } from './relayed-producer.ts';
import { spreadPartitions } from './spread-partitions.ts';

export interface LaneThreadsDeps {
  /** Starts a thread that calls `runLaneThread` with the given settings. */
  readonly spawn: (settings: DetectionSettings) => Worker;
  readonly threads: number;
  /** Returns the current settings of the rules: the same object until they change. */
  readonly settings: () => DetectionSettings;
  readonly producer: Pick<EventProducer, 'send'>;
  /** If true, passes the traces of records to the threads. */
  readonly traced?: boolean;
  readonly metrics: PipelineMetrics;
  /** Maximum memory that is kept for later records. */
  readonly idleBytes: number;
  readonly endOf: (partition: TopicPartition) => Promise<number>;
  readonly failed: (error: unknown) => void;
  /** When to give up on a thread that does not respond. Default: about a minute. */
  readonly watch?: AnswerWatchOptions;
}

interface LaneThread {
  readonly worker: Worker;
  readonly link: Link<LaneThreadCalls>;
  readonly unwatch: () => void;
  settings: DetectionSettings;
}

/** A lane thread has ended or hangs. Its unlanded records were not committed and will be delivered again. */
export class LaneThreadEnded extends Error {
  override readonly name = 'LaneThreadEnded';
}

/**
 * Runs lanes in threads. This thread has the consumer, packs records and transfers them to the thread of their
 * partition. A partition stays in one thread while it is assigned, so one tracker processes it in order, as without
 * threads. Commits, pauses and published records go through this object. A thread that ends, fails or hangs ends the
 * process. After `end` no report is requested: the metrics of a stopping process are read once more, and a failed
 * report would hide all others.
 */
export function createLaneThreads(deps: LaneThreadsDeps): LaneHost & { end(): Promise<void> } {
  const { metrics, producer, endOf, failed } = deps;
  const pool = createMemoryPool(deps.idleBytes);
  let consumer: FeedingConsumer | undefined;
  let homes = new Map<string, number>();
  let partitions: readonly TopicPartition[] = [];
  let ended = false;
  const threads = Array.from({ length: deps.threads }, start);

  function start(): LaneThread {
    const settings = deps.settings();
    const worker = deps.spawn(settings);
    const ours: ConsumerThreadCalls = {
      commit: async ({ partition, nextOffset }) => (await consumer?.commit(partition, nextOffset)) ?? false,
      pause: (partition) => consumer?.pause(partition),
      resume: (partition) => consumer?.resume(partition),
      endOf,
      send: ({ topic, messages }) => sendFor(producer, topic, messages),
      released(memories) {
        releaseAll(memories, pool);
        for (const other of threads) if (other.worker !== worker) other.link.notify('memoryFreed', undefined);
      },
      metrics: (calls) => countRelayed(metrics, calls),
      failed,
    };
    const link = createLink<LaneThreadCalls, ConsumerThreadCalls>(worker, ours, failed);
    const lost = (error: Error) => {
      link.cut(error);
      if (!ended) failed(error);
    };
    worker.on('error', (error) => lost(new LaneThreadEnded('a lane thread failed', { cause: error })));
    worker.on('exit', (code) => lost(new LaneThreadEnded(`a lane thread ended with code ${code}`)));
    const silent = () => lost(new LaneThreadEnded('a lane thread does not respond any more'));
    const unwatch = watchAnswers(() => link.ask('report', undefined), silent, deps.watch);
    return { worker, link, unwatch, settings };
  }

  /** Called before the calls that depend on the settings. */
  function sendSettings(thread: LaneThread): void {
    const settings = deps.settings();
    if (settings === thread.settings) return;
    thread.settings = settings;
    thread.link.notify('settings', settings);
  }

  const reports = async () => (ended ? [] : Promise.all(threads.map(({ link }) => link.ask('report', undefined))));

  return {
    attach(attached) {
      consumer = attached;
    },
    partitions: () => partitions,
    stats: async () => (await reports()).flatMap(({ stats }) => stats),
    waiting: async () => (await reports()).flatMap(({ waiting }) => waiting),
    failed,

    async assigned(now) {
      partitions = now;
      homes = spreadPartitions(now.map(keyOf), homes, threads.length);
      await Promise.all(
        threads.map((thread, number) => {
          sendSettings(thread);
          return thread.link.ask(
            'assigned',
            now.filter((partition) => homes.get(keyOf(partition)) === number),
          );
        }),
      );
    },

    async batch(partition, records) {
      const last = records.at(-1);
      const thread = threads[homes.get(keyOf(partition)) ?? -1];
      if (last === undefined || thread === undefined) return;
      sendSettings(thread);
      const chunks = chunksOf(records, deps.traced ?? false).map(({ records: some, traces }) => ({
        ...packRecords(some, pool),
        traces,
      }));
      const highWatermark = consumer?.highWatermark(partition);
      const moved = chunks.flatMap(({ memory, index }) =>
        memory.buffer instanceof ArrayBuffer ? [memory.buffer, index] : [index],
      );
      await thread.link.ask('batch', { partition, chunks, nextOffset: last.offset + 1, highWatermark }, moved);
    },

    async close() {
      // A thread that has ended has nothing left to land, and its end was already reported.
      await Promise.allSettled(threads.map(({ link }) => link.ask('close', undefined)));
    },
    abandon() {
      for (const { link } of threads) link.notify('abandon', undefined);
    },
    async end() {
      ended = true;
      for (const { unwatch } of threads) unwatch();
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function releaseAll(memories: readonly Uint8Array[], pool: MemoryPool): void {
  for (const { buffer, byteOffset, byteLength } of memories) {
    pool.release(Buffer.from(buffer, byteOffset, byteLength));
  }
}
