import { setTimeout as pause } from 'node:timers/promises';
import { protocolErrorsCodesById } from '@platformatic/kafka';
import type { FetchSizes } from '../consumer-session.ts';
import { type Delivery, keyOf } from '../delivery.ts';
import { isPermanentCode, KafkaFailure } from '../failure.ts';
import type { LivenessWatch } from '../liveness.ts';
import type { KafkaLog } from '../log.ts';
import type { TopicPartition } from '../port.ts';
import type { Cluster, Layout } from './cluster.ts';
import type { FetchAnswer, FetchedPartition } from './fetch-response.ts';
import { readRecordBatches, type Uncompress } from './record-batches.ts';

/** Fetches the partitions of one generation, one request to each broker at a time, and delivers what comes. */
export interface Fetching {
  /** A partition was resumed. */
  wake(): void;
  /** Nothing is delivered any more; requests in flight are dropped when they return. */
  stop(): void;
}

export interface FetchingOptions {
  readonly cluster: Cluster;
  readonly topics: readonly string[];
  readonly layout: Layout;
  /** Where to begin, by partition. */
  readonly starts: readonly { readonly at: TopicPartition; readonly offset: number }[];
  /** Keys of the partitions that are not fetched. Changes while fetching. */
  readonly paused: ReadonlySet<string>;
  readonly sizes: FetchSizes;
  readonly uncompress: Uncompress;
  readonly delivery: Delivery;
  readonly liveness: LivenessWatch;
  readonly log: KafkaLog;
  /** The broker no longer has the wanted offset. Nothing more of the partition is fetched. */
  readonly outOfRange: (partition: TopicPartition) => void;
  /** An error that does not pass. */
  readonly failed: (error: unknown) => void;
}

interface Position {
  readonly at: TopicPartition;
  readonly key: string;
  next: number;
}

/** A resumed partition waits for the running request to the same broker, which does not name it. */
const WAIT_WHILE_PAUSED_MS = 25;
const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 3_000;
const OUT_OF_RANGE = 1;
/** The partition is led by another broker, or about to be, or the topic was created again. */
const STALE = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_OR_FOLLOWER',
  'REPLICA_NOT_AVAILABLE',
  'KAFKA_STORAGE_ERROR',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'OFFSET_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_ID',
  'INCONSISTENT_TOPIC_ID',
]);

/** Long: its functions share the positions of one generation. */
export function startFetching(options: FetchingOptions): Fetching {
  const { cluster, topics, paused, sizes, delivery, liveness, log } = options;
  let { layout } = options;
  /** In the order of requests: a broker answers with what fits into `maxBytes`, and begins with the first. */
  let positions: Position[] = options.starts.map(({ at, offset }) => ({ at, key: keyOf(at), next: offset }));
  const loops = new Set<number>();
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();
  let refreshing: Promise<void> | undefined;

  function wake(): void {
    woken.resolve();
    woken = Promise.withResolvers<void>();
  }

  function startLoops(): void {
    for (const { at } of positions) {
      const leader = layout.leaderOf(at);
      if (leader !== undefined && !loops.has(leader)) void loop(leader);
    }
    if (positions.some(({ at }) => layout.leaderOf(at) === undefined)) void refresh(FIRST_BACKOFF_MS * 5);
  }

  async function loop(broker: number): Promise<void> {
    loops.add(broker);
    let failures = 0;
    while (!stopping.signal.aborted) {
      const led = positions.filter(({ at }) => layout.leaderOf(at) === broker);
      if (led.length === 0) break;
      const wanted = led.filter(({ key }) => !paused.has(key));
      if (wanted.length === 0) {
        await liveness.busy(woken.promise);
        continue;
      }
      try {
        const answer = await fetchFrom(broker, wanted, led.length > wanted.length);
        if (stopping.signal.aborted) return;
        liveness.alive();
        const isStale = await take(answer);
        failures = 0;
        if (isStale) await refresh(FIRST_BACKOFF_MS);
      } catch (error) {
        if (stopping.signal.aborted) return;
        const failure = error instanceof KafkaFailure ? error : new KafkaFailure('read records', error);
        if (failure.kind !== 'passing') return options.failed(failure);
        log.debug({ broker, err: failure }, 'Kafka consumer: fetching failed and is repeated');
        await refresh(Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures++));
      }
    }
    loops.delete(broker);
  }

  function fetchFrom(broker: number, wanted: readonly Position[], somePaused: boolean): Promise<FetchAnswer> {
    return cluster.fetch(broker, {
      maxWaitMs: somePaused ? WAIT_WHILE_PAUSED_MS : sizes.maxWaitMs,
      maxBytes: sizes.maxBytes,
      maxBytesPerPartition: sizes.maxBytesPerPartition,
      positions: wanted.map(({ at, next }) => ({ at, topicId: layout.topicId(at.topic), offset: next })),
    });
  }

  /** Delivers an answer. True when the layout of the cluster has to be asked for again. */
  async function take({ error, partitions }: FetchAnswer): Promise<boolean> {
    let isStale = isStaleCode(error);
    const deliveries: Promise<void>[] = [];
    for (const fetched of partitions) {
      const topic = layout.topicName(fetched.topic) ?? fetched.topic;
      const position = positions.find(({ at }) => at.topic === topic && at.partition === fetched.partition);
      if (position === undefined) continue;
      if (fetched.error === OUT_OF_RANGE) {
        positions = positions.filter((one) => one !== position);
        options.outOfRange(position.at);
      } else if (isStaleCode(fetched.error)) isStale = true;
      else if (fetched.batches.length > 0) deliveries.push(deliver(position, fetched));
    }
    await Promise.all(deliveries);
    return isStale;
  }

  async function deliver(position: Position, fetched: FetchedPartition): Promise<void> {
    const { at, key } = position;
    const { records, nextOffset } = await readRecordBatches(at, fetched, position.next, options.uncompress);
    // What arrives of a paused partition is fetched again when it is resumed.
    if (stopping.signal.aborted || paused.has(key)) return;
    let isTaken = records.length === 0;
    await delivery.eachBatch(
      { at, records, highWatermark: fetched.highWatermark },
      {
        resolve: () => {
          isTaken = true;
        },
      },
    );
    if (!isTaken || stopping.signal.aborted) return;
    position.next = nextOffset;
    // The last one of the next request, for the others to have their turn.
    positions = [...positions.filter((one) => one !== position), position];
  }

  /** Asks for the leaders again, once at a time. Never rejects: an error that lasts shows in the next request, and in the liveness watch. */
  function refresh(afterMs: number): Promise<void> {
    refreshing ??= (async () => {
      await pause(afterMs * (0.8 + Math.random() * 0.4), undefined, { signal: stopping.signal }).catch(() => {});
      try {
        if (!stopping.signal.aborted) layout = await cluster.describe(topics);
      } catch (error) {
        log.debug({ err: error }, 'Kafka consumer: brokers could not be asked for the leaders');
      }
      refreshing = undefined;
      if (!stopping.signal.aborted) startLoops();
    })();
    return refreshing;
  }

  startLoops();
  return {
    wake,
    stop() {
      stopping.abort();
      wake();
    },
  };
}

/** @throws {KafkaFailure} for a code that is neither success nor a sign of stale metadata. */
function isStaleCode(code: number): boolean {
  if (code === 0) return false;
  const name = (protocolErrorsCodesById as Readonly<Record<number, string>>)[code] ?? `UNKNOWN_CODE_${code}`;
  if (STALE.has(name)) return true;
  const error = Object.assign(new Error(`the broker answered ${name}`), { type: name });
  throw new KafkaFailure('fetch records', error, isPermanentCode(name) ? 'permanent' : 'passing');
}
