import { setTimeout as pause } from 'node:timers/promises';
import type { Consumer, ConsumerCrashEvent, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { createKafkaClient, type KafkaConnection, openDirectly, RETRY } from './client.ts';
import { type Delivery, isGroupError, keyOf } from './delivery.ts';
import { KafkaFailure } from './failure.ts';
import type { LivenessWatch } from './liveness.ts';
import type { KafkaLog } from './log.ts';
import type { KafkaRecord, TopicPartition } from './port.ts';
import { createResponseMemory, type ResponseMemory } from './response-memory.ts';

export interface FetchSizes {
  /** Maximum size of one fetch response. Decompressed records may take many times that. */
  readonly maxBytes: number;
  readonly maxBytesPerPartition: number;
  /**
   * How long a broker waits for the first byte. A rebalance is noticed after at most this time plus the heartbeat
   * interval.
   */
  readonly maxWaitMs: number;
}

export interface SessionOptions {
  readonly connection: KafkaConnection;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly instanceId: string | undefined;
  readonly fetch: FetchSizes;
  readonly copiesRecords: boolean;
  readonly tries: number | undefined;
  readonly log: KafkaLog;
}

/** One kafkajs consumer, from its connection until it crashes or ends. It never restarts itself. */
export interface ConsumerSession {
  /** Resolves when the consumer has first joined the group. Rejects with a `KafkaFailure` if it cannot join. */
  readonly ready: Promise<void>;
  commit(partition: TopicPartition, nextOffset: number): Promise<boolean>;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  /** Leaves the group. Closes the connections if that takes longer than `patienceMs`. */
  close(patienceMs: number): Promise<void>;
}

export interface SessionEvents {
  readonly joined: () => void;
  readonly crashed: (error: Error) => void;
}

/** Number of partitions whose batches are processed concurrently. The next fetch waits for all of them. */
const CONCURRENT_PARTITIONS = 16;

export function openSession(
  options: SessionOptions,
  delivery: Delivery,
  liveness: LivenessWatch,
  events: SessionEvents,
): ConsumerSession {
  const { groupId, fetch, log, tries = RETRY.retries } = options;
  const memory = options.copiesRecords ? createResponseMemory() : undefined;
  const client = createKafkaClient(options.connection, log, tries, memory?.open ?? openDirectly);
  const consumer = client.kafka.consumer({
    groupId,
    ...(options.instanceId === undefined ? {} : { groupInstanceId: options.instanceId }),
    sessionTimeout: options.sessionTimeoutMs,
    heartbeatInterval: options.heartbeatIntervalMs,
    rebalanceTimeout: options.rebalanceTimeoutMs,
    maxBytes: fetch.maxBytes,
    maxBytesPerPartition: fetch.maxBytesPerPartition,
    maxWaitTimeInMs: fetch.maxWaitMs,
    minBytes: 1,
    // Half of the default. A new partition is found within this time, and read from its beginning.
    metadataMaxAge: 150_000,
    allowAutoTopicCreation: false,
    retry: { ...RETRY, retries: tries, restartOnFailure: async () => false },
  } as Parameters<typeof client.kafka.consumer>[0]);
  const committed = new Map<string, number>();
  let closed = false;
  let crash: Error | undefined;

  consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberAssignment } }) => {
    if (closed) return;
    committed.clear();
    const partitions = Object.entries(memberAssignment).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic, partition })),
    );
    // After an assignment no partition is paused, not even one that is kept.
    resumeAll(consumer);
    liveness.alive();
    events.joined();
    delivery.joined(partitions);
  });
  consumer.on(consumer.events.FETCH, () => liveness.alive());
  consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload: { topics } }) => {
    for (const { topic, partitions } of topics) {
      for (const { partition, offset } of partitions)
        committed.set(keyOf({ topic, partition: Number(partition) }), Number(offset));
    }
  });
  consumer.on(consumer.events.CRASH, ({ payload }: ConsumerCrashEvent) => {
    crash = payload.error;
    if (!closed) events.crashed(payload.error);
  });

  async function close(patienceMs: number): Promise<void> {
    closed = true;
    const left = consumer
      .disconnect()
      .catch((error: unknown) => log.debug({ err: error }, 'cannot disconnect the Kafka consumer'));
    await Promise.race([left, pause(patienceMs, undefined, { ref: false })]);
    client.destroy();
  }

  async function join(): Promise<void> {
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...options.topics], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
        eachBatch: (payload) => (closed ? Promise.resolve() : deliver(payload, delivery, memory)),
      });
      if (crash !== undefined) throw crash;
    } catch (error) {
      await close(1000);
      throw new KafkaFailure('join the consumer group', error);
    }
  }

  return {
    ready: join(),
    async commit(partition, nextOffset) {
      if (closed || !delivery.owns(partition)) return false;
      const { topic, partition: number } = partition;
      try {
        await consumer.commitOffsets([{ topic, partition: number, offset: String(nextOffset) }]);
      } catch (error) {
        if (!isGroupError(error)) log.warn({ ...partition, err: error }, 'cannot commit offsets to Kafka');
        return false;
      }
      // A consumer that is ending resolves without sending the commit.
      return committed.get(keyOf(partition)) === nextOffset;
    },
    pause: ({ topic, partition }) => ifRunning(() => consumer.pause([{ topic, partitions: [partition] }])),
    resume: ({ topic, partition }) => ifRunning(() => consumer.resume([{ topic, partitions: [partition] }])),
    close,
  };
}

async function deliver(
  { batch, resolveOffset, heartbeat }: EachBatchPayload,
  delivery: Delivery,
  memory: ResponseMemory | undefined,
): Promise<void> {
  const last = batch.messages.at(-1);
  if (last === undefined) return;
  await delivery.eachBatch(
    {
      at: { topic: batch.topic, partition: batch.partition },
      records: toRecords(batch),
      highWatermark: Number(batch.highWatermark),
    },
    { resolve: () => resolveOffset(last.offset), heartbeat },
  );
  // Not released after an error, because the handler may still use the memory.
  memory?.release(batch);
}

function toRecords({ topic, partition, messages }: EachBatchPayload['batch']): KafkaRecord[] {
  return messages.map((message) => {
    const { key, value, headers = {} } = message;
    return { topic, partition, offset: offsetOf(message), key, value, headers };
  });
}

/** The corrected kafkajs provides the offset as a number, except for messages in the format before Kafka 0.11. */
function offsetOf(message: KafkaMessage & { readonly offsetNumber?: number }): number {
  return message.offsetNumber ?? Number(message.offset);
}

/** Before the first join and after a crash, kafkajs throws. There is nothing to pause at that time. */
function ifRunning(action: () => void): void {
  try {
    action();
  } catch {}
}

function resumeAll(consumer: Consumer): void {
  const paused = consumer.paused();
  if (paused.length > 0) consumer.resume(paused);
}
