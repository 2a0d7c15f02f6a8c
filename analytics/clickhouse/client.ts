import { Agent } from 'node:http';
import { createConnection } from 'node:net';
import { Readable } from 'node:stream';
import { type ClickHouseSettings, createClient } from '@clickhouse/client';
import { ClickHouseFailure, isBrokenConnection } from './failure.ts';
import { createLiveness, type LivenessConfig } from './liveness.ts';
import { quoted } from './table.ts';

export interface ClickHouseConfig {
  readonly url: string;
  /** Unix socket to connect to, instead of the host of `url`. A function is called for each connection. */
  readonly socketPath?: string | (() => string);
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Timeout of a request, milliseconds. Default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Maximum number of connections. Default 16. */
  readonly maxConnections?: number;
  /** When reads are aborted because the server is silent; see `createLiveness`. */
  readonly liveness?: Omit<LivenessConfig, 'ping'>;
  /** Settings of every request, unless the request overrides them. */
  readonly settings?: ClickHouseSettings;
  /**
   * True if inserts and commands are also aborted when the server is silent. Their outcome is then unknown. Default
   * false.
   */
  readonly endsSilentWrites?: boolean;
}

export type QueryParameters = Readonly<Record<string, unknown>>;

export interface QueryOptions {
  /** Values of the query's `{name:Type}` parameters. They are never inserted into its text. */
  readonly params?: QueryParameters;
  readonly settings?: ClickHouseSettings;
  readonly signal?: AbortSignal;
}

/** The only access to ClickHouse. Every method rejects with `ClickHouseFailure` and does not retry. */
export interface ClickHouse {
  readonly database: string;
  /**
   * Returns the quoted, qualified name of a table. Queries name the database explicitly, because it need not be the
   * connection's default.
   */
  table(name: string): string;
  /** Returns all rows of a SELECT. 64-bit integers are strings of digits. */
  rows<Row>(operation: string, query: string, options?: QueryOptions): Promise<Row[]>;
  /** Yields rows in chunks as they arrive. Leaving the loop early cancels the query. */
  stream<Row>(operation: string, query: string, options?: QueryOptions): AsyncIterable<Row[]>;
  /** Yields the bytes of the response as they arrive. The query states its FORMAT. */
  bytes(operation: string, query: string, options?: QueryOptions): AsyncIterable<Buffer>;
  /** Runs a statement without a result. Resolves when it has finished. */
  command(operation: string, query: string, options?: QueryOptions): Promise<void>;
  /**
   * Runs `query`, an INSERT that ends in its FORMAT, with the pieces of `body` as data. Resolves when the rows are
   * written.
   */
  insert(operation: string, query: string, body: Iterable<Buffer>, options?: QueryOptions): Promise<void>;
  close(): Promise<void>;
  /** The replicas that receive requests. Absent with one server. See `replicated-client.ts`. */
  readonly replicas?: Replicas;
  /**
   * The shards of a cluster. The methods above use the home shard. Absent with one server, and in the client of one
   * shard. See `sharded-client.ts`.
   */
  readonly shards?: Shards;
}

/** The replicas of one shard. Each has every table. Requests go to one replica until it fails. */
export interface Replicas {
  /** Name of the cluster in the servers' configuration. */
  readonly cluster: string;
  readonly all: readonly Replica[];
  /** Changes when later requests go to another replica. */
  epoch(): number;
  /** Resolves when the current replica has every block of the table that any replica had committed before the call. */
  catchUp(table: string): Promise<void>;
}

export interface Replica {
  readonly url: string;
  /** Client for this replica only. */
  readonly clickhouse: ClickHouse;
}

/**
 * The shards of a cluster. The rows of a lane are in one of them (`lane-shards.ts`). All other rows are in the home
 * shard.
 */
export interface Shards {
  readonly home: Shard;
  /** All shards, the home shard first. */
  readonly all: readonly Shard[];
}

export interface Shard {
  /** Client for the replicas of this shard only. Table names have no suffix, unlike the tables that span all shards. */
  readonly clickhouse: ClickHouse;
  /** Returns the macro `{shard}` of its servers. */
  name(): Promise<string>;
}

/** Settings of every query, because a server's profile may contain other values. */
const ALWAYS: ClickHouseSettings = {
  // An insert is acknowledged only after it is written.
  async_insert: 0,
  // JSON.parse would round UInt64.
  output_format_json_quote_64bit_integers: 1,
  // RFC 3339 times with Z.
  date_time_output_format: 'iso',
};

/** Creates a client. `config.database` need not exist yet: the connection uses the server's default database. */
export function createClickHouse(config: ClickHouseConfig): ClickHouse {
  const client = openClient(config);
  // A separate connection, because long queries may occupy all others.
  const pinger = openClient({ ...config, maxConnections: 1 });
  const liveness = createLiveness({
    ping: (abort_signal) => pinger.query({ query: 'SELECT 1', format: 'JSONEachRow', abort_signal }).then(read),
    ...config.liveness,
  });

  function request({ params, settings, signal }: QueryOptions) {
    return {
      ...(params ? { query_params: { ...params } } : {}),
      ...(settings ? { clickhouse_settings: settings } : {}),
      ...(signal ? { abort_signal: signal } : {}),
    };
  }

  /** Runs a read until the server responds or is found silent. */
  function watched<T>(options: QueryOptions, run: (options: QueryOptions) => Promise<T>): Promise<T> {
    return liveness.watch((silent) => {
      const signal = options.signal === undefined ? silent : AbortSignal.any([options.signal, silent]);
      return repeatOnce(() => run({ ...options, signal }));
    });
  }

  /** Runs a read, and retries it once if its connection broke, for example because it was idle. */
  async function repeatOnce<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isBrokenConnection(error)) throw error;
      return run();
    }
  }

  /** Runs a write without retrying it. */
  function watchedWrite<T>(options: QueryOptions, run: (options: QueryOptions) => Promise<T>): Promise<T> {
    if (!config.endsSilentWrites) return run(options);
    return liveness.watch((silent) => {
      const signal = options.signal === undefined ? silent : AbortSignal.any([options.signal, silent]);
      return run({ ...options, signal });
    });
  }

  async function attempt<T>(operation: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw new ClickHouseFailure(operation, error);
    }
  }

  return {
    database: config.database,
    table: (name) => `${quoted(config.database)}.${quoted(name)}`,
    rows: (operation, query, options = {}) =>
      attempt(operation, () =>
        watched(options, async (live) => {
          const result = await client.query({ query, format: 'JSONEachRow', ...request(live) });
          return result.json();
        }),
      ),
    async *stream<Row>(operation: string, query: string, options: QueryOptions = {}) {
      try {
        const result = await watched(options, (live) =>
          client.query({ query, format: 'JSONEachRow', ...request(live) }),
        );
        for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json());
      } catch (error) {
        throw new ClickHouseFailure(operation, error);
      }
    },
    async *bytes(operation, query, options = {}) {
      try {
        const { stream } = await watched(options, (live) => client.exec({ query, ...request(live) }));
        for await (const chunk of stream) yield chunk as Buffer;
      } catch (error) {
        throw new ClickHouseFailure(operation, error);
      }
    },
    command: (operation, query, options = {}) =>
      attempt(operation, () =>
        watchedWrite(options, async (live) => {
          await client.command({ query, ...request(live) });
        }),
      ),
    insert: (operation, query, body, options = {}) =>
      attempt(operation, () =>
        watchedWrite(options, async (live) => {
          const values = Readable.from(body, { objectMode: false });
          const { stream } = await client.exec({ query, values, ...request(live) });
          stream.resume();
        }),
      ),
    async close() {
      await Promise.all([client.close(), pinger.close()]);
    },
  };
}

function openClient(config: ClickHouseConfig) {
  const maxConnections = config.maxConnections ?? 16;
  return createClient({
    url: config.url,
    username: config.user,
    password: config.password,
    application: 'trapline',
    request_timeout: config.requestTimeoutMs ?? 60_000,
    max_open_connections: maxConnections,
    ...(config.socketPath === undefined ? {} : { http_agent: socketAgent(config.socketPath, maxConnections) }),
    // Closes idle sockets before the idle timeout of a server or proxy can close them during a request.
    keep_alive: { enabled: true, idle_socket_ttl: 2_000, eagerly_destroy_stale_sockets: true },
    // Long lists in parameters would exceed the URL length.
    use_multipart_params_auto: true,
    compression: { request: false, response: false },
    log: { level: 127 }, // Off: failures are thrown, and log lines would quote queries.
    clickhouse_settings: { ...ALWAYS, ...config.settings },
  });
}

async function read(result: { json(): Promise<unknown> }): Promise<void> {
  await result.json();
}

/**
 * Returns an agent that connects to a Unix socket and ignores the URL's host and the proxy variables of the
 * environment.
 */
function socketAgent(socketPath: string | (() => string), maxSockets: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets });
  agent.createConnection = () => createConnection(typeof socketPath === 'string' ? socketPath : socketPath());
  return agent;
}
