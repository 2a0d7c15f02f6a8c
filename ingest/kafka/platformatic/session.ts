import { setTimeout as pause } from 'node:timers/promises';
import { uncompressRecords } from '../codecs.ts';
import type { ConsumerSession, SessionEvents, SessionOptions } from '../consumer-session.ts';
import { type Delivery, keyOf } from '../delivery.ts';
import { isTemporary, KafkaFailure } from '../failure.ts';
import type { LivenessWatch } from '../liveness.ts';
import type { TopicPartition } from '../port.ts';
import { byTopic } from './assignment.ts';
import { openCluster } from './cluster.ts';
import { type Fetching, startFetching } from './fetching.ts';
import { createGroupMember, type Joined } from './group-member.ts';
import type { ListOffsetsResponse } from './responses.ts';

interface Start {
  readonly at: TopicPartition;
  readonly offset: number;
}

/** Tries of one request before the consumer joins again, about 25 s. */
const TRIES = 12;
const RETRY_MS = 500;
const EARLIEST = -2n;
const READ_UNCOMMITTED = 0;

/** One life of a consumer on `@platformatic/kafka`, from its connection to its crash or end. It never restarts itself. */
export function openPlatformaticSession(
  options: SessionOptions,
  delivery: Delivery,
  liveness: LivenessWatch,
  events: SessionEvents,
): ConsumerSession {
  const { topics, log } = options;
  const cluster = openCluster(options.connection);
  const member = createGroupMember(cluster, { ...options, tries: options.tries ?? TRIES });
  const ready = Promise.withResolvers<void>();
  /** Partitions whose committed offset the broker no longer has: they are read from their beginning. */
  const expired = new Set<string>();
  const paused = new Set<string>();
  let fetching: Fetching | undefined;
  let closed = false;

  async function run(): Promise<void> {
    while (!closed) {
      const joined = await member.join();
      if (closed) return;
      ready.resolve();
      liveness.alive();
      // An assignment starts with nothing paused, also for partitions that are kept.
      paused.clear();
      events.joined();
      delivery.joined(joined.partitions);
      await consume(joined);
    }
  }

  /** Fetches until the generation is over. */
  async function consume({ partitions, layout }: Joined): Promise<void> {
    const over = new AbortController();
    const failed = Promise.withResolvers<never>();
    const moved = member
      .untilMoved(() => {
        if (partitions.length === 0) liveness.alive();
      })
      .finally(() => over.abort());
    const begun = startsWhenPossible({ partitions, layout }, over.signal).then((starts) => {
      if (closed || over.signal.aborted) return;
      fetching = startFetching({
        cluster,
        topics,
        layout,
        starts,
        paused,
        sizes: options.fetch,
        uncompress: uncompressRecords,
        delivery,
        liveness,
        log,
        outOfRange: (partition) => {
          expired.add(keyOf(partition));
          member.move();
        },
        failed: failed.reject,
      });
    });
    begun.catch((error: unknown) => {
      if (!over.signal.aborted) failed.reject(error);
    });
    try {
      await Promise.race([moved, failed.promise]);
    } finally {
      moved.catch(() => {});
      fetching?.stop();
      fetching = undefined;
    }
  }

  /** Repeats until the brokers answer, or the generation is over. */
  async function startsWhenPossible({ partitions, layout: first }: Joined, over: AbortSignal): Promise<Start[]> {
    for (let layout = first; ; ) {
      try {
        return await startsOf({ partitions, layout });
      } catch (error) {
        if (!isTemporary(error) || over.aborted) throw error;
        log.debug({ err: error }, 'Kafka consumer: offsets could not be read yet');
        await pause(RETRY_MS, undefined, { signal: over }).catch(() => {});
        layout = await cluster.describe(topics).catch(() => layout);
      }
    }
  }

  /** The committed offset of each partition, else its first one. */
  async function startsOf({ partitions, layout }: Joined): Promise<Start[]> {
    if (partitions.length === 0) return [];
    const committed = await member.committed(partitions);
    for (const key of expired) committed.delete(key);
    expired.clear();
    const fresh = partitions.filter((at) => !committed.has(keyOf(at)));
    const earliest = fresh.length === 0 ? new Map<string, number>() : await earliestOf(fresh, layout);
    return partitions.map((at) => ({ at, offset: committed.get(keyOf(at)) ?? earliest.get(keyOf(at)) ?? 0 }));
  }

  async function earliestOf(
    partitions: readonly TopicPartition[],
    layout: Joined['layout'],
  ): Promise<Map<string, number>> {
    const byLeader = new Map<number, TopicPartition[]>();
    for (const at of partitions) {
      const leader = layout.leaderOf(at);
      if (leader === undefined)
        throw new KafkaFailure(
          'list offsets',
          Object.assign(new Error(`${keyOf(at)} has no leader`), { type: 'LEADER_NOT_AVAILABLE' }),
          'passing',
        );
      byLeader.set(leader, [...(byLeader.get(leader) ?? []), at]);
    }
    const found = new Map<string, number>();
    for (const [leader, led] of byLeader) {
      const asked = byTopic(led).map(({ topic, partitions: numbers }) => ({
        name: topic,
        partitions: numbers.map((partitionIndex) => ({ partitionIndex, currentLeaderEpoch: -1, timestamp: EARLIEST })),
      }));
      const { topics: answered } = await cluster.ask<ListOffsetsResponse>(
        await cluster.broker(leader),
        'ListOffsets',
        -1,
        READ_UNCOMMITTED,
        asked,
      );
      for (const { name, partitions: offsets } of answered)
        for (const { partitionIndex, offset } of offsets) found.set(`${name}/${partitionIndex}`, Number(offset));
    }
    return found;
  }

  const running = run().catch((error: unknown) => {
    if (closed) return;
    ready.reject(new KafkaFailure('join the consumer group', error));
    events.crashed(error as Error);
  });

  return {
    ready: ready.promise,
    async commit(partition, nextOffset) {
      if (closed || !delivery.owns(partition)) return false;
      return member.commit(partition, nextOffset);
    },
    pause: (partition) => void paused.add(keyOf(partition)),
    resume(partition) {
      if (paused.delete(keyOf(partition))) fetching?.wake();
    },
    async close(patienceMs) {
      closed = true;
      fetching?.stop();
      member.stop();
      const left = member
        .leave()
        .catch((error: unknown) => log.debug({ err: error }, 'Kafka consumer: leaving the group failed'));
      await Promise.race([left, pause(patienceMs, undefined, { ref: false })]);
      cluster.destroy();
      await running;
      ready.reject(
        new KafkaFailure(
          'join the consumer group',
          Object.assign(new Error('the consumer is closed'), { code: 'CLOSED' }),
          'passing',
        ),
      );
      ready.promise.catch(() => {});
    },
  };
}
