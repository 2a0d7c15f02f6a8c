import type {
  BrokerConnection,
  JudgeMessage,
  MessageBroker,
  ReceivedMessage,
} from '#api/executions/tasks/asyncapi/port.ts';
import { openGuardedSocket } from '#api/outbound/guarded-socket.ts';
import type { OutboundConnect } from '#api/outbound/outbound-connect.ts';
import { OutboundFailure } from '#api/outbound/port.ts';
import { tlsFailureOf } from '#api/outbound/tls-failure.ts';
import { createKafkaClient, type KafkaClient } from '#ingest/kafka/client.ts';
import { KafkaFailure } from '#ingest/kafka/failure.ts';
import type { KafkaLog } from '#ingest/kafka/log.ts';
import { onceCoordinated } from './once-coordinated.ts';

const TRIES = 3;
const MAX_BYTES = 5 * 2 ** 20;
const SEND_MS = 30_000;
/** Maximum restarts of a consumer while the coordinator of its group is loading its commits after a cluster start. */
const MAX_STARTS = 5;

/**
 * Connects to Kafka clusters that workflows name. Every connection, including those to brokers that the cluster
 * returns, goes through the outbound guard.
 */
export function createMessageBroker({
  outbound,
  logger,
}: {
  readonly outbound: OutboundConnect;
  readonly logger: KafkaLog;
}): MessageBroker {
  /** Runs `work` with a separate client, which is closed when it or the step ends. */
  async function withClient<T>(
    connection: BrokerConnection,
    signal: AbortSignal,
    work: (client: KafkaClient) => Promise<T>,
  ): Promise<T> {
    const refused: OutboundFailure[] = [];
    const { brokers, secure, sasl, certificate } = connection;
    const { certificate: cert, key, ca } = certificate ?? {};
    const client = createKafkaClient(
      { brokers, ...(sasl === undefined ? {} : { sasl }), ...(secure ? { tls: { cert, key, ca } } : {}) },
      logger,
      TRIES,
      (target, onConnect) => {
        const socket = openGuardedSocket(outbound, { ...target, tls: target.ssl }, onConnect);
        socket.once('error', (error) => {
          const failure = error instanceof OutboundFailure ? error : tlsFailureOf(error);
          if (failure !== undefined) refused.push(failure);
        });
        return socket;
      },
    );
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      return await Promise.race([aborted.promise, work(client)]);
    } catch (error) {
      signal.throwIfAborted();
      throw refused[0] ?? (error instanceof OutboundFailure ? error : failureOf(error));
    } finally {
      signal.removeEventListener('abort', abort);
      client.destroy();
    }
  }

  return {
    publish: (connection, topic, { value, headers }, signal) =>
      withClient(connection, signal, async ({ kafka }) => {
        const producer = kafka.producer({ allowAutoTopicCreation: false });
        await producer.connect();
        await producer.send({ topic, acks: -1, timeout: SEND_MS, messages: [{ value, headers: { ...headers } }] });
        await producer.disconnect();
      }),
    receive: (connection, topic, end, signal) =>
      onceCoordinated(() => receive(connection, topic, end, signal), { starts: MAX_STARTS, signal }),
  };

  function receive(...[connection, topic, { group, judge, forMs }, signal]: Parameters<MessageBroker['receive']>) {
    return withClient(connection, signal, async ({ kafka }) => {
      let starts = 1;
      const consumer = kafka.consumer({
        groupId: group,
        allowAutoTopicCreation: false,
        retry: {
          retries: TRIES,
          // Not for other failures: a client that was closed would restart again and again.
          restartOnFailure: async (error) => isLoading(error) && !signal.aborted && starts++ < MAX_STARTS,
        },
      });
      const enough = Promise.withResolvers<void>();
      const timer = setTimeout(() => enough.resolve(), forMs);
      const collected = collectMessages(judge, enough);
      consumer.on(consumer.events.CRASH, ({ payload: { restart, error } }) => {
        if (!restart) enough.reject(error);
      });
      try {
        await consumer.connect();
        await consumer.subscribe({ topic, fromBeginning: false });
        await consumer.run({ eachMessage: ({ message }) => collected.add(message.value, message.headers) });
        await enough.promise;
      } finally {
        clearTimeout(timer);
      }
      await consumer.disconnect();
      return collected.messages;
    });
  }
}

/** Collects the messages that `judge` accepts, until it reports that there are enough. */
function collectMessages(judge: JudgeMessage, enough: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>) {
  const messages: ReceivedMessage[] = [];
  let bytes = 0;
  let ended = false;
  return {
    messages,
    async add(value: Buffer | null, headers: Headers = {}): Promise<void> {
      if (ended) return;
      const message = { payload: payloadOf(value), headers: textsOf(headers) };
      const { take, more } = await judge(message);
      if (take) {
        bytes += value?.length ?? 0;
        if (bytes > MAX_BYTES)
          return enough.reject(new OutboundFailure('too_large', `the messages are larger than ${MAX_BYTES} bytes`));
        messages.push(message);
      }
      if (more) return;
      ended = true;
      enough.resolve();
    },
  };
}

const isLoading = (error: Error) => new KafkaFailure('receive', error).code === 'GROUP_LOAD_IN_PROGRESS';

function failureOf(cause: unknown): OutboundFailure {
  const message = cause instanceof Error ? cause.message : 'the brokers do not answer';
  return new OutboundFailure('unreachable', message, { cause });
}

/** Parses JSON; returns other values as text. */
function payloadOf(value: Buffer | null): ReceivedMessage['payload'] {
  if (value === null) return null;
  const text = value.toString('utf8');
  try {
    return JSON.parse(text) as ReceivedMessage['payload'];
  } catch {
    return text.toWellFormed();
  }
}

type Headers = Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;

const textsOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, (Array.isArray(value) ? value.join(', ') : value.toString()).toWellFormed()]],
    ),
  );
