import { Cluster, Redis, type RedisOptions } from './ioredis.ts';

/** The Redis of an installation: one server, the primary that Sentinels name, or a cluster. */
export interface RedisServers {
  /**
   * `redis://user:password@host:port/database`, `rediss://` for TLS: the server; with `sentinel` the Sentinels; with `cluster` nodes of the cluster, of
   * which one has to answer. The user, password, database and TLS of the first are those of all servers.
   */
  readonly urls: readonly string[];
  /** Name of the primary at the Sentinels, and the account of the Sentinels themselves, if they ask for one. */
  readonly sentinel?:
    | { readonly name: string; readonly user?: string | undefined; readonly password?: string | undefined }
    | undefined;
  readonly cluster?: boolean | undefined;
  /** Certificates that may sign those of the servers, PEM. Not set: those that Node trusts. */
  readonly ca?: string | undefined;
}

export type RedisClient = Redis | Cluster;

/** Options of every connection, without those that say where it leads. */
export type ConnectionOptions = Pick<
  RedisOptions,
  | 'connectionName'
  | 'connectTimeout'
  | 'disconnectTimeout'
  | 'commandTimeout'
  | 'autoResubscribe'
  | 'autoResendUnfulfilledCommands'
> & { readonly retryStrategy: (times: number) => number; readonly autoPipeliningIgnoredCommands: string[] };

/** How often the client reads the map of a cluster again, ms. A node that does not answer reports no change of the map. */
const MAP_MS = 2_000;

/** A client that connects by itself. No command is queued while the servers are unavailable, and none is sent twice. */
export function openRedis(servers: RedisServers, options: ConnectionOptions): RedisClient {
  const [first = new URL('redis://127.0.0.1:6379'), ...others] = servers.urls.map((url) => new URL(url));
  const addresses = [first, ...others].map((url) => addressOf(url, servers.sentinel === undefined ? 6379 : 26_379));
  const tls = first.protocol === 'rediss:' ? { tls: servers.ca === undefined ? {} : { ca: servers.ca } } : {};
  const account = {
    ...(first.username === '' ? {} : { username: decodeURIComponent(first.username) }),
    ...(first.password === '' ? {} : { password: decodeURIComponent(first.password) }),
  };
  const common = { enableOfflineQueue: false, enableAutoPipelining: true };
  const { retryStrategy, autoPipeliningIgnoredCommands, ...connection } = options;

  if (servers.cluster === true) {
    const cluster = new Cluster(addresses, {
      ...common,
      autoPipeliningIgnoredCommands,
      redisOptions: { ...connection, ...account, ...tls },
      clusterRetryStrategy: retryStrategy,
      slotsRefreshInterval: MAP_MS,
      slotsRefreshTimeout: options.connectTimeout ?? MAP_MS,
      // What a node did not answer may have been counted; only what was refused is sent again, to the node that the refusal names.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      // Names stay names, because certificates hold them.
      dnsLookup: (host, found) => found(null, host),
    });
    // Replicas too: when one becomes a primary, its connection is there.
    cluster.on('+node', (node: Redis) => void node.connect().catch(() => {}));
    return cluster;
  }

  const single = {
    ...common,
    ...connection,
    ...account,
    ...tls,
    retryStrategy,
    autoPipeliningIgnoredCommands,
    db: Number(first.pathname.slice(1) || 0),
    // The server has become a replica: its name, or the Sentinels, lead to another one by now.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  };
  if (servers.sentinel === undefined) return new Redis({ ...single, ...addresses[0] });
  const { name, user, password } = servers.sentinel;
  return new Redis({
    ...single,
    sentinels: addresses,
    name,
    ...(user === undefined ? {} : { sentinelUsername: user }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
    ...(first.protocol === 'rediss:' ? { enableTLSForSentinelMode: true, sentinelTLS: tls.tls ?? {} } : {}),
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: options.commandTimeout ?? MAP_MS,
    // A primary that was replaced while it did not answer closes no connection.
    failoverDetector: true,
  });
}

function addressOf({ hostname, port }: URL, defaultPort: number): { host: string; port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
}
