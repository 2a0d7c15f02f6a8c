import {
  type API,
  Base,
  type BaseOptions,
  type Callback,
  type Connection,
  type ConnectionOptions,
  ConnectionPool,
  fetchV12,
  fetchV13,
  fetchV14,
  fetchV15,
  fetchV16,
  fetchV17,
  kGetApi,
  parseBroker,
  type SASLOptions,
} from '@platformatic/kafka';
import type { KafkaConnection } from '../client.ts';
import { KafkaFailure } from '../failure.ts';
import type { TopicPartition } from '../port.ts';
import { failureOf } from './failure-of.ts';
import { type FetchAnswer, readFetchAnswer } from './fetch-response.ts';
import type { MetadataResponse } from './responses.ts';

/** A broker's host and port. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** The topics asked for, as one broker described them. */
export interface Layout {
  readonly partitions: readonly TopicPartition[];
  /** Id of the broker that leads a partition; undefined while no broker does. */
  leaderOf(partition: TopicPartition): number | undefined;
  topicId(topic: string): string;
  topicName(id: string): string | undefined;
}

export interface FetchRequest {
  readonly maxWaitMs: number;
  readonly maxBytes: number;
  readonly maxBytesPerPartition: number;
  readonly positions: readonly { readonly at: TopicPartition; readonly topicId: string; readonly offset: number }[];
}

/** Connections to the brokers of a cluster, for one consumer. Every method rejects with a `KafkaFailure`. */
export interface Cluster {
  describe(topics: readonly string[]): Promise<Layout>;
  /**
   * Sends a request. The answer of a broker with an error rejects. Fetches have connections of their own: a broker answers the
   * requests of one connection in order, so a heartbeat would wait for a long poll.
   */
  ask<Response>(connection: Connection, name: string, ...args: readonly unknown[]): Promise<Response>;
  anyBroker(): Promise<Connection>;
  broker(id: number): Promise<Connection>;
  /** Reads from a broker. Errors of partitions are part of the answer. */
  fetch(id: number, request: FetchRequest): Promise<FetchAnswer>;
  /** Cuts all connections for good. */
  destroy(): void;
}

/** Longer than a JoinGroup request waits for the other members (`rebalanceTimeoutMs`, 30 s). */
const REQUEST_TIMEOUT_MS = 35_000;
const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_PORT = 9092;

/** The only place where clients of the library are made. Nothing connects yet. */
export function openCluster(connection: KafkaConnection): Cluster {
  const options: BaseOptions = {
    ...connectionOptions(connection),
    clientId: connection.clientId ?? 'trapline',
    bootstrapBrokers: [...connection.brokers],
    // What is worth another try, and when, is decided by the callers.
    retries: 0,
  };
  const client = new Base(options);
  const fetchers = new ConnectionPool(options.clientId, options);
  for (const pool of [client.connections, fetchers]) keepAlive(pool);
  const addresses = new Map<number, Address>();
  const bootstrap = connection.brokers.map((broker) => parseBroker(broker, DEFAULT_PORT));
  /** Requests that any broker answers go to the next one after a failure: a broker that is frozen accepts connections. */
  let turn = 0;
  const getApi = (name: string) =>
    new Promise<API<unknown[], unknown>>((resolve, reject) =>
      client[kGetApi](name, settle<API<unknown[], unknown>>(resolve, reject)),
    );
  const cluster: Cluster = {
    ask: (to, name, ...args) =>
      attempt(`answer ${name}`, async () => {
        const api = await getApi(name);
        return (await api.async(to, ...args)) as never;
      }),
    anyBroker: () => {
      const known = [...bootstrap, ...addresses.values()];
      const first = turn % known.length;
      return attempt('be reached', () =>
        client.connections.getFirstAvailable([...known.slice(first), ...known.slice(0, first)]),
      );
    },
    broker: (id) => attempt('be reached', () => client.connections.get(addressOf(id))),
    fetch: (id, request) =>
      attempt('fetch records', async () =>
        sendFetch(await fetchers.get(addressOf(id)), await getApi('Fetch'), request),
      ),
    async describe(topics) {
      const response = await metadata(topics);
      addresses.clear();
      for (const { nodeId, host, port } of response.brokers) addresses.set(nodeId, { host, port });
      return layoutOf(response);
    },
    destroy() {
      for (const pool of [client.connections, fetchers]) {
        for (const [, open] of pool) open.socket?.destroy();
        pool.close(() => {});
      }
      client.close(() => {});
    },
  };

  async function metadata(topics: readonly string[]): Promise<MetadataResponse> {
    const from = await cluster.anyBroker();
    return attempt('describe topics', async () => {
      const api = await getApi('Metadata');
      try {
        return (await api.async(from, [...topics], false, false)) as MetadataResponse;
      } catch (error) {
        // The library rejects the whole answer when one partition has no leader.
        const { response, errors } = error as { response?: MetadataResponse; errors?: { apiId?: string }[] };
        if (response !== undefined && errors?.every(({ apiId }) => apiId === 'LEADER_NOT_AVAILABLE')) return response;
        turn++;
        throw error;
      }
    });
  }

  function addressOf(id: number): Address {
    const address = addresses.get(id);
    if (address !== undefined) return address;
    throw new KafkaFailure(
      'be reached',
      Object.assign(new Error(`broker ${id} is not known`), { code: 'UNKNOWN_BROKER' }),
      'passing',
    );
  }
  return cluster;
}

/** By version. Before 12 (Kafka 2.7) lengths are encoded differently. */
const FETCHES: Readonly<Record<number, { readonly createRequest: typeof fetchV17.createRequest }>> = {
  12: fetchV12,
  13: fetchV13,
  14: fetchV14,
  15: fetchV15,
  16: fetchV16,
  17: fetchV17,
};
const FETCH_KEY = 1;
const READ_COMMITTED = 1;
/** Each request names all its partitions: an idle request is small, and no state at the broker can differ from ours. */
const NO_SESSION = { id: 0, epoch: -1 };

function sendFetch(to: Connection, api: { readonly version?: number }, request: FetchRequest): Promise<FetchAnswer> {
  const version = api.version ?? 0;
  const codec = FETCHES[version];
  if (codec === undefined)
    throw Object.assign(
      new Error(`the brokers speak version ${version} of Fetch; 12 to 17 are supported (Kafka 2.7 and later)`),
      {
        code: 'UNSUPPORTED_VERSION',
      },
    );
  const topics = request.positions.map(({ at, topicId, offset }) => ({
    topicId: version >= 13 ? topicId : at.topic,
    partitions: [
      {
        partition: at.partition,
        fetchOffset: BigInt(offset),
        partitionMaxBytes: request.maxBytesPerPartition,
        currentLeaderEpoch: -1,
        lastFetchedEpoch: -1,
      },
    ],
  }));
  return new Promise((resolve, reject) =>
    to.send<FetchAnswer>(
      FETCH_KEY,
      version,
      () =>
        codec.createRequest(
          request.maxWaitMs,
          1,
          request.maxBytes,
          READ_COMMITTED,
          NO_SESSION.id,
          NO_SESSION.epoch,
          topics,
          [],
          '',
        ),
      (_correlationId, _key, _version, reader) => readFetchAnswer(reader.buffer.slice(reader.position), version),
      true,
      true,
      settle(resolve, reject),
    ),
  );
}

async function attempt<T>(operation: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw failureOf(operation, error);
  }
}

function settle<T>(resolve: (value: T) => void, reject: (error: Error) => void): Callback<T> {
  return ((error: Error | null, value: T) => (error ? reject(error) : resolve(value))) as Callback<T>;
}

function connectionOptions({ tls, sasl }: KafkaConnection): ConnectionOptions {
  return {
    connectTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    ...(tls ? { tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)) } : {}),
    ...(sasl
      ? {
          sasl: {
            mechanism: sasl.mechanism.toUpperCase() as SASLOptions['mechanism'],
            username: sasl.username,
            password: sasl.password,
          },
        }
      : {}),
  };
}

/** A connection of the library emits `error` more often than the pool listens, and an event without a listener ends the process. */
function keepAlive(pool: ConnectionPool): void {
  pool.on('connecting', ({ connection }) => connection.on('error', () => {}));
  pool.on('connect', ({ connection }) => connection.socket.setKeepAlive(true, 30_000));
}

function layoutOf({ topics }: MetadataResponse): Layout {
  const leaders = new Map<string, number>();
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const partitions: TopicPartition[] = [];
  for (const { name, topicId, partitions: described } of topics) {
    const topic = name ?? '';
    ids.set(topic, topicId);
    names.set(topicId, topic);
    for (const { partitionIndex, leaderId } of described) {
      partitions.push({ topic, partition: partitionIndex });
      if (leaderId >= 0) leaders.set(`${topic}/${partitionIndex}`, leaderId);
    }
  }
  return {
    partitions: partitions.sort((a, b) =>
      a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1,
    ),
    leaderOf: ({ topic, partition }) => leaders.get(`${topic}/${partition}`),
    topicId: (topic) => ids.get(topic) ?? '',
    topicName: (id) => names.get(id),
  };
}
