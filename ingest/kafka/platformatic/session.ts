import { setTimeout as pause } from 'node:timers/promises';
import { uncompressRecords } from '../codecs.ts';
import type { ConsumerSession, SessionEvents, SessionOptions } from '../consumer-session.ts';
import { type Delivery, keyOf } from '../delivery.ts';
import { KafkaFailure } from '../failure.ts';
import type { LivenessWatch } from '../liveness.ts';
import { openCluster } from './cluster.ts';
import { type Fetching, startFetching } from './fetching.ts';
import { createGroupMember, type Joined } from './group-member.ts';
import { readStarts } from './start-offsets.ts';

/** Tries of one request before the consumer joins again, about 25 s. */
const TRIES = 12;

/**
 * One life of a consumer on `@platformatic/kafka`, from its connection to its crash or end. It never restarts itself.
 * Long: its functions share the state of one life.
 */
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
  const paused = new Set<string>();
  /** Partitions whose committed offset the broker no longer has: they are read from their beginning. */
  let expired = new Set<string>();
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
  async function consume(joined: Joined): Promise<void> {
    const over = new AbortController();
    const failed = Promise.withResolvers<never>();
    const isIdle = joined.partitions.length === 0;
    const moved = member.untilMoved(() => {
      if (isIdle) liveness.alive();
    });
    fetch(joined, over.signal, failed.reject).catch((error: unknown) => {
      if (!over.signal.aborted) failed.reject(error);
    });
    try {
      await Promise.race([moved, failed.promise]);
    } finally {
      // When fetching failed, the heartbeats end with the session.
      moved.catch(() => {});
      over.abort();
      fetching?.stop();
      fetching = undefined;
    }
  }

  async function fetch(joined: Joined, over: AbortSignal, failed: (error: unknown) => void): Promise<void> {
    const starts = await readStarts({ cluster, member, topics, log }, joined, expired, over);
    if (closed || over.aborted) return;
    expired = new Set();
    fetching = startFetching({
      cluster,
      topics,
      layout: joined.layout,
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
      failed,
    });
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
      ready.reject(closedFailure());
      ready.promise.catch(() => {});
    },
  };
}

function closedFailure(): KafkaFailure {
  const error = Object.assign(new Error('the consumer is closed'), { code: 'CLOSED' });
  return new KafkaFailure('join the consumer group', error, 'passing');
}
