import { setTimeout as pause } from 'node:timers/promises';
import type { Message, Producer, ProducerRecord } from 'kafkajs';
import { createKafkaClient, type KafkaClient, type KafkaConnection } from './client.ts';
import { KafkaFailure } from './failure.ts';
import type { KafkaLog } from './log.ts';
import { createSteadyPartitioner } from './partitioner.ts';
import type { SendOptions } from './port.ts';

interface Order {
  /** Each fits into one request. */
  readonly pieces: readonly Message[][];
  readonly done: PromiseWithResolvers<void>;
  readonly options: SendOptions;
}

export interface TopicSender {
  send(pieces: readonly Message[][], options?: SendOptions): Promise<void>;
  close(): Promise<void>;
}

const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 10_000;
const CLOSE_PATIENCE_MS = 3000;

/**
 * Sends to one topic, with one kafkajs producer per topic: a producer that has used a topic that is now deleted fails
 * on every other topic. One request is in flight at a time. kafkajs assigns sequence numbers before the previous
 * request is confirmed, so the second of two requests could be taken for a repeat of the first and dropped. A producer
 * that failed is replaced, because its sequence numbers are uncertain. Messages that it may have stored are then stored
 * again.
 * Long: its functions share the queue and the producer of one topic.
 */
export function createTopicSender(
  { log }: { readonly log: KafkaLog },
  config: {
    readonly connection: KafkaConnection;
    readonly topic: string;
    readonly compression: NonNullable<ProducerRecord['compression']>;
    /** Retries of one request before a failure is handled here; undefined for the default of the client. */
    readonly tries?: number | undefined;
  },
): TopicSender {
  const { topic, compression } = config;
  const orders: Order[] = [];
  const closing = new AbortController();
  let current: { client: KafkaClient; producer: Producer } | undefined;
  let working: Promise<void> | undefined;
  let inFlight: Order | undefined;

  async function connected(): Promise<Producer> {
    if (current === undefined) {
      const client = createKafkaClient(config.connection, log, config.tries);
      const producer = client.kafka.producer({
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        createPartitioner: createSteadyPartitioner,
      });
      current = { client, producer };
      await producer.connect();
    }
    return current.producer;
  }

  async function drop(): Promise<void> {
    const old = current;
    current = undefined;
    if (old === undefined) return;
    await Promise.race([
      old.producer.disconnect().catch(() => {}),
      pause(CLOSE_PATIENCE_MS, undefined, { ref: false }),
    ]);
    old.client.destroy();
  }

  /** Sends one request and retries without limit. Rejects on permanent failures. */
  async function sendPiece(messages: Message[], { signal, onBegun }: SendOptions): Promise<void> {
    for (let backoff = FIRST_BACKOFF_MS; ; backoff = Math.min(LAST_BACKOFF_MS, backoff * 2)) {
      signal?.throwIfAborted();
      try {
        const producer = await connected();
        signal?.throwIfAborted();
        onBegun?.();
        await producer.send({ topic, messages, compression, acks: -1 });
        return;
      } catch (error) {
        if (signal?.aborted && error === signal.reason) throw error;
        await drop();
        const failure = closing.signal.aborted ? closedFailure() : new KafkaFailure('store messages', error);
        if (closing.signal.aborted || failure.kind !== 'temporary') throw failure;
        log.warn({ topic, messages: messages.length, err: failure }, 'cannot send messages to Kafka, retrying');
        await pause(backoff * (0.5 + Math.random()), undefined, { signal: endOf(signal) }).catch(() => {});
      }
    }
  }

  function endOf(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
  }

  async function work(): Promise<void> {
    for (let order = orders.shift(); order !== undefined; order = orders.shift()) {
      inFlight = order;
      try {
        for (const piece of order.pieces) await sendPiece(piece, order.options);
        order.done.resolve();
      } catch (error) {
        order.done.reject(error);
      }
    }
    working = undefined;
    inFlight = undefined;
  }

  /**
   * Resolves when the order is sent. On abort, removes a queued order, or stops an order in flight after its current
   * request.
   */
  async function untilAborted({ done, options: { signal } }: Order): Promise<void> {
    if (signal === undefined) return done.promise;
    const abort = () => {
      const waiting = orders.findIndex((order) => order.done === done);
      if (waiting !== -1) orders.splice(waiting, 1);
      done.reject(signal.reason);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await done.promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  return {
    send(pieces, options = {}) {
      if (closing.signal.aborted) return Promise.reject(closedFailure());
      const order: Order = { pieces, done: Promise.withResolvers<void>(), options };
      orders.push(order);
      working ??= work();
      return untilAborted(order);
    },
    async close() {
      closing.abort();
      for (const order of orders.splice(0)) order.done.reject(closedFailure());
      // A request in flight may still succeed; retries end here.
      current?.client.endRetries();
      await Promise.race([working, pause(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
      await drop();
      // The client notices only at its next retry that it is closed.
      inFlight?.done.reject(closedFailure());
    },
  };
}

export function closedFailure(): KafkaFailure {
  return new KafkaFailure(
    'store messages',
    Object.assign(new Error('the producer is closed'), { code: 'CLOSED' }),
    'temporary',
  );
}
