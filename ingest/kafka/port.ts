/** Interfaces of the Kafka client. Code outside `ingest/kafka` does not depend on the client library. */

export interface KafkaRecord {
  readonly topic: string;
  readonly partition: number;
  /** Exact as a number, because Kafka offsets stay far below 2^53. */
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** Callbacks of the owner of a consumer. */
export interface ConsumerHandlers {
  /**
   * Called when the group has (re)assigned partitions, with the complete new set. Partitions that are not in it are
   * lost and must not be committed any more. Records of kept and new partitions are delivered again from the committed
   * offset. No batch of a partition arrives before the promise resolves.
   */
  assigned(partitions: readonly TopicPartition[]): Promise<void>;
  /**
   * Called with records of one partition in offset order. Must resolve when the records are accepted, not when they
   * have landed. The consumer sends heartbeats in the meantime. For back-pressure, the owner calls `pause(partition)`
   * and later `resume(partition)`.
   */
  batch(partition: TopicPartition, records: readonly KafkaRecord[]): Promise<void>;
  /**
   * Called if the consumer cannot recover, e.g. because a handler threw. The process must end without acknowledging
   * records.
   */
  failed(error: unknown): void;
}

export interface ConsumerStats {
  readonly assigned: number;
  readonly lastFetchAt: number;
  /** How often the liveness check restarted a consumer that had stopped fetching. */
  readonly livenessRestarts: number;
  readonly rebalances: number;
}

export interface EventConsumer {
  start(): Promise<void>;
  /** Leaves the group, so that other members take over without waiting for the session timeout. */
  stop(): Promise<void>;
  /**
   * Commits the offset to read next after a restart. Returns false if the commit was rejected because its generation is
   * over.
   */
  commit(partition: TopicPartition, nextOffset: number): Promise<boolean>;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  /** End offset of the partition at the last fetch, for the lag metric. */
  highWatermark(partition: TopicPartition): number | undefined;
  stats(): ConsumerStats;
}

export interface OutgoingMessage {
  readonly key: Buffer | string | null;
  readonly value: Buffer | string;
  readonly headers?: Readonly<Record<string, string | Buffer>>;
}

export interface SendOptions {
  /**
   * Aborts the send, which rejects with the signal's reason. Messages of a request that was already started may be
   * stored.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called when the first request is sent to a broker. Before that, no message is stored. */
  readonly onBegun?: (() => void) | undefined;
}

export interface EventProducer {
  /**
   * Resolves when all in-sync replicas have the messages (acks=all, idempotent). Retries temporary failures itself;
   * rejects on permanent ones.
   */
  send(topic: string, messages: readonly OutgoingMessage[], options?: SendOptions): Promise<void>;
  close(): Promise<void>;
}
