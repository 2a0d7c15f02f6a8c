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
  /** Starts a thread that runs `runLaneThread` under the settings given. */
  readonly spawn: (settings: DetectionSettings) => Worker;
  readonly threads: number;
  /** Of the rules, as they hold now: the same object for as long as nothing changed. */
  readonly settings: () => DetectionSettings;
  readonly producer: Pick<EventProducer, 'send'>;
  /** Traces of records are passed on to the threads. */
  readonly traced?: boolean;
  readonly metrics: PipelineMetrics;
  /** Memory kept for later records at most. */
  readonly idleBytes: number;
  readonly endOf: (partition: TopicPartition) => Promise<number>;
  readonly failed: (error: unknown) => void;
  /** When a thread that does not answer is given up; about a minute by default. */
  readonly watch?: AnswerWatchOptions;
}

interface LaneThread {
  readonly worker: Worker;
  readonly link: Link<LaneThreadCalls>;
  readonly unwatch: () => void;
  settings: DetectionSettings;
}

/** A thread of lanes ended by itself, or hangs. What it held was not committed, and comes again. */
export class LaneThreadEnded extends Error {
  override readonly name = 'LaneThreadEnded';
}

/**
 * Lanes in threads of their own: this thread keeps the consumer, packs what comes and moves it to the thread where the lanes of its partition are.
 * A partition belongs to one thread for as long as it is assigned, so one tracker handles all of it in order, as without threads. Only
 * this object knows the threads: commits, pauses and published records go through it. A thread that ends, fails or hangs ends the process. After `end`
 * there are no reports: the metrics of a process that stops are read once more, and one that fails would hide all others.
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
        giveBackAll(memories, pool);
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
    worker.on('error', (error) => lost(new LaneThreadEnded('a thread of lanes failed', { cause: error })));
    worker.on('exit', (code) => lost(new LaneThreadEnded(`a thread of lanes ended with code ${code}`)));
    const silent = () => lost(new LaneThreadEnded('a thread of lanes does not answer any more'));
    const unwatch = watchAnswers(() => link.ask('report', undefined), silent, deps.watch);
    return { worker, link, unwatch, settings };
  }

  /** Called before the requests that depend on it. */
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
      // A thread that ended has nothing left to land, and its end was reported.
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

function giveBackAll(memories: readonly Uint8Array[], pool: MemoryPool): void {
  for (const { buffer, byteOffset, byteLength } of memories) {
    pool.giveBack(Buffer.from(buffer, byteOffset, byteLength));
  }
}
