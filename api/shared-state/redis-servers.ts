import { Cluster, Redis, type RedisOptions } from './ioredis.ts';

/** The Redis servers of an installation: a single server, a primary known to Sentinels, or a cluster. */
export interface RedisServers {
  /**
   * `redis://user:password@host:port/database`, or `rediss://` for TLS: the server; with `sentinel`, the Sentinels;
   * with `cluster`, nodes of the cluster, of which one must respond. User, password, database and TLS of the first URL
   * apply to all servers.
   */
  readonly urls: readonly string[];
  /** Name of the primary at the Sentinels, and the credentials for the Sentinels, if they require them. */
  readonly sentinel?:
    | { readonly name: string; readonly user?: string | undefined; readonly password?: string | undefined }
    | undefined;
  readonly cluster?: boolean | undefined;
  /** CA certificates of the servers, PEM. Default: those that Node trusts. */
  readonly ca?: string | undefined;
}

export type RedisClient = Redis | Cluster;

/** Options of every connection, except its destination. */
export type ConnectionOptions = Pick<
  RedisOptions,
  | 'connectionName'
  | 'connectTimeout'
  | 'disconnectTimeout'
  | 'commandTimeout'
  | 'autoResubscribe'
  | 'autoResendUnfulfilledCommands'
  | 'maxRetriesPerRequest'
> & { readonly retryStrategy: (times: number) => number; readonly autoPipeliningIgnoredCommands: string[] };

/** Refresh interval of the cluster map, in ms. A node that does not respond reports no change of the map. */
const MAP_MS = 2_000;

/**
 * Opens a client that connects automatically. No command is queued while the servers are unavailable, and none is sent
 * twice.
 */
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
      // A command without a reply may have been counted. Only rejected commands are sent again, to the node that the
      // rejection names.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      // Keeps host names, because certificates contain them.
      dnsLookup: (host, found) => found(null, host),
    });
    // Connects to replicas too, so the connection exists when one becomes a primary.
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
    // The server has become a replica. Its name, or the Sentinels, now resolve to another server.
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
    // A primary that was replaced while it was unresponsive does not close connections.
    failoverDetector: true,
  });
}

function addressOf({ hostname, port }: URL, defaultPort: number): { host: string; port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
}
