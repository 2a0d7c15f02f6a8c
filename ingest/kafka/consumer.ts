import { setTimeout as pause } from 'node:timers/promises';
import type { KafkaConnection } from './client.ts';
import { type ConsumerSession, type FetchSizes, openSession } from './consumer-session.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { isTemporary, KafkaFailure } from './failure.ts';
import { watchLiveness } from './liveness.ts';
import type { KafkaLog } from './log.ts';
import type { ConsumerHandlers, EventConsumer } from './port.ts';

export interface EventConsumerConfig {
  readonly connection: KafkaConnection;
  readonly groupId: string;
  readonly topics: readonly string[];
  /**
   * Time without a heartbeat after which the broker reassigns the partitions of a dead consumer. Limited by the broker
   * (`group.min.session.timeout.ms`, 6,000 by default). Default 10,000.
   */
  readonly sessionTimeoutMs?: number | undefined;
  /**
   * Static membership: a name that is unique in the group at any time. A consumer that restarts under the same name
   * gets its partitions back immediately. There is no rebalance, and no wait for the session timeout of its
   * predecessor.
   */
  readonly instanceId?: string | undefined;
  /** A consumer without any fetch response, not even an empty one, is restarted after this time. Default 60,000. */
  readonly livenessTimeoutMs?: number | undefined;
  readonly fetch?: Partial<FetchSizes> | undefined;
  /**
   * True if the handler has copied all needed keys, values and headers when its promise for a batch resolves. Their
   * memory is then reused, which saves much garbage collection. Default false.
   */
  readonly copiesRecords?: boolean | undefined;
  /** Retries of one operation of the client before it is reported and the consumer rejoins. Default 12, about 25 s. */
  readonly tries?: number | undefined;
}

/*
 * States:  idle ──start──► opening ──► open ──crash or stuck──► opening
 *                            │           │
 *                            └───────────┴──a handler threw, or an error is permanent──► failed
 *          any ──stop──► stopped
 */

/** Large enough that the cost of a request is small per record, and small enough for a process of 400 MiB. */
const FETCH: FetchSizes = { maxBytes: 2 * 1024 * 1024, maxBytesPerPartition: 2 * 1024 * 1024, maxWaitMs: 400 };
const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 10_000;
/** Leaving the group takes milliseconds. The timeout is for a client that is stuck. */
const STOP_PATIENCE_MS = 8000;
const STUCK_PATIENCE_MS = 2000;
/** A client that fails this often for unknown reasons, such as an unreadable batch, will not recover. */
const MAX_UNKNOWN_CRASHES = 5;

/**
 * Creates a consumer in a group, with explicit commits only. It recovers from unavailable brokers, lost connections and
 * lost generations. If a handler throws or an error is permanent, `handlers.failed` is called once. After that, nothing
 * is delivered or committed.
 * Long: its functions share the state of one consumer.
 */
export function createEventConsumer(
  { handlers, log }: { readonly handlers: ConsumerHandlers; readonly log: KafkaLog },
  config: EventConsumerConfig,
): EventConsumer {
  const sessionTimeoutMs = config.sessionTimeoutMs ?? 10_000;
  const heartbeatIntervalMs = Math.max(100, Math.min(1000, Math.floor(sessionTimeoutMs / 10)));
  const { groupId } = config;
  let session: ConsumerSession | undefined;
  let delivery: Delivery | undefined;
  let state: 'idle' | 'open' | 'opening' | 'failed' | 'stopped' = 'idle';
  let livenessRestarts = 0;
  let rebalances = 0;
  let unknownCrashes = 0;
  const stopping = new AbortController();

  const liveness = watchLiveness(config.livenessTimeoutMs ?? 60_000, () => {
    if (state !== 'open') return;
    livenessRestarts++;
    log.error({ groupId, livenessRestarts }, 'Kafka consumer stopped fetching, restarting');
    void reopen();
  });

  async function open(): Promise<void> {
    const mine = createDelivery({ handlers, heartbeatIntervalMs, liveness, failed: fail });
    delivery = mine;
    const opened = openSession(
      {
        connection: config.connection,
        groupId,
        topics: config.topics,
        sessionTimeoutMs,
        heartbeatIntervalMs,
        rebalanceTimeoutMs: 30_000,
        instanceId: config.instanceId,
        fetch: { ...FETCH, ...config.fetch },
        copiesRecords: config.copiesRecords ?? false,
        tries: config.tries,
        log,
      },
      mine,
      liveness,
      {
        joined: () => {
          rebalances++;
        },
        crashed: (error) => crashed(mine, error),
      },
    );
    session = opened;
    await opened.ready;
    liveness.alive();
  }

  function crashed(whose: Delivery, error: Error): void {
    if (state !== 'open' || whose !== delivery) return;
    const failure = new KafkaFailure('keep consuming', error);
    if (failure.kind === 'unknown') unknownCrashes++;
    if ((failure.kind === 'permanent' && !mayComeBack(failure)) || unknownCrashes >= MAX_UNKNOWN_CRASHES) {
      fail(failure);
      return;
    }
    log.warn({ groupId, err: error }, 'Kafka consumer crashed, restarting');
    void reopen();
  }

  async function reopen(): Promise<void> {
    state = 'opening';
    await closeSession(STUCK_PATIENCE_MS);
    try {
      await openWhenPossible((error) => isTemporary(error) || mayComeBack(error));
    } catch (error) {
      fail(error);
    }
  }

  /**
   * Retries until it succeeds, or until the consumer is stopped or has failed. Rejects with errors for which `passes`
   * is false.
   */
  async function openWhenPossible(passes: (error: unknown) => boolean): Promise<void> {
    for (let backoff = FIRST_BACKOFF_MS; state === 'opening'; backoff = Math.min(LAST_BACKOFF_MS, backoff * 2)) {
      try {
        await open();
        if (state === 'opening') state = 'open';
      } catch (error) {
        if (state !== 'opening') return;
        if (!passes(error)) throw error;
        log.warn({ groupId, err: error }, 'cannot join the Kafka consumer group, retrying');
        await pause(backoff * (0.5 + Math.random()), undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function closeSession(patienceMs: number): Promise<void> {
    delivery?.end();
    const closing = session;
    session = undefined;
    await closing?.close(patienceMs);
  }

  function fail(error: unknown): void {
    if (state === 'failed' || state === 'stopped') return;
    state = 'failed';
    liveness.stop();
    stopping.abort();
    log.error({ groupId, err: error }, 'Kafka consumer failed');
    // Not awaited: this may run inside a batch, and closing waits for that batch.
    void closeSession(STUCK_PATIENCE_MS);
    handlers.failed(error);
  }

  return {
    async start() {
      if (state !== 'idle') throw new Error('a consumer is started once');
      state = 'opening';
      try {
        // A coordinator with many commits takes minutes to load, and a broker may start after this process.
        await openWhenPossible(isTemporary);
      } catch (error) {
        state = 'stopped';
        liveness.stop();
        throw error;
      }
    },
    async stop() {
      if (state === 'stopped') return;
      state = 'stopped';
      liveness.stop();
      stopping.abort();
      await closeSession(STOP_PATIENCE_MS);
    },
    commit: async (partition, nextOffset) => (await session?.commit(partition, nextOffset)) ?? false,
    pause: (partition) => session?.pause(partition),
    resume: (partition) => session?.resume(partition),
    highWatermark: (partition) => delivery?.highWatermark(partition),
    stats: () => ({
      assigned: delivery?.assigned.length ?? 0,
      lastFetchAt: liveness.lastAliveAt,
      livenessRestarts,
      rebalances,
    }),
  };
}

/**
 * Returns true if the topic is unknown. A broker that has just started may not know its topics yet. The topic existed
 * before, so the consumer retries.
 */
function mayComeBack(error: unknown): boolean {
  return error instanceof KafkaFailure && error.code === 'UNKNOWN_TOPIC_OR_PARTITION';
}
