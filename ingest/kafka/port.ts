/** The narrow port in front of the Kafka client: nothing outside `ingest/kafka` knows which client it is. */

export interface KafkaRecord {
  readonly topic: string;
  readonly partition: number;
  /** Exact: Kafka offsets stay far below 2^53. */
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** What the owner of a consumer does with what happens to it. */
export interface ConsumerHandlers {
  /**
   * The group has (re)assigned partitions: the complete new set. Partitions not in it are lost and nothing of theirs may be
   * committed any more; records of kept and new ones are delivered again from the committed offset.
   * No batch of a partition arrives before the promise is kept.
   */
  assigned(partitions: readonly TopicPartition[]): Promise<void>;
  /**
   * Records of one partition in offset order. Resolves as soon as they are taken over (not when they are landed). The consumer
   * heartbeats while it runs. For back-pressure the owner calls `pause(partition)` and later `resume(partition)`.
   */
  batch(partition: TopicPartition, records: readonly KafkaRecord[]): Promise<void>;
  /** The consumer failed beyond repair, e.g. the handler threw: the process must end with nothing acknowledged. */
  failed(error: unknown): void;
}

export interface ConsumerStats {
  readonly assigned: number;
  readonly lastFetchAt: number;
  /** How often the liveness watch restarted a consumer that had stopped fetching. */
  readonly livenessRestarts: number;
  readonly rebalances: number;
}

export interface EventConsumer {
  start(): Promise<void>;
  /** Leaves the group at once, so that others take over without waiting for the session time-out. */
  stop(): Promise<void>;
  /** `nextOffset` is the one to read next after a restart. Rejected commits of a lost generation are reported as `false`. */
  commit(partition: TopicPartition, nextOffset: number): Promise<boolean>;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  /** Highest offset + 1 of the partition as of the last fetch, for the lag metric. */
  highWatermark(partition: TopicPartition): number | undefined;
  stats(): ConsumerStats;
}

export interface OutgoingMessage {
  readonly key: Buffer | string | null;
  readonly value: Buffer | string;
  readonly headers?: Readonly<Record<string, string | Buffer>>;
}

export interface SendOptions {
  /** Ends the sending: rejects with the signal's reason. What was begun by then may be stored. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the first of it goes to a broker: until then nothing of it is stored. */
  readonly onBegun?: (() => void) | undefined;
}

export interface EventProducer {
  /** Resolves when all replicas in sync have the messages (acks=all, idempotent). Retries temporary failures itself; rejects on permanent ones. */
  send(topic: string, messages: readonly OutgoingMessage[], options?: SendOptions): Promise<void>;
  close(): Promise<void>;
}
