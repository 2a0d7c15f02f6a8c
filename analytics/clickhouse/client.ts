import { Agent } from 'node:http';
import { createConnection } from 'node:net';
import { Readable } from 'node:stream';
import { type ClickHouseSettings, createClient } from '@clickhouse/client';
import { ClickHouseFailure, isBrokenConnection } from './failure.ts';
import { createLiveness, type LivenessConfig } from './liveness.ts';
import { quoted } from './table.ts';

export interface ClickHouseConfig {
  readonly url: string;
  /** Unix socket to connect to instead of the host of `url`; a function is called for each connection. */
  readonly socketPath?: string | (() => string);
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Of one request, milliseconds. Default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Connections kept at most. Default 16. */
  readonly maxConnections?: number;
  /** When reads are given up because the server is silent; see `createLiveness`. */
  readonly liveness?: Omit<LivenessConfig, 'ping'>;
  /** Of every request, unless the request sets them itself. */
  readonly settings?: ClickHouseSettings;
  /** Whether inserts and commands are given up too when the server is silent. Their outcome is then unknown. Default false. */
  readonly endsSilentWrites?: boolean;
}

export type QueryParameters = Readonly<Record<string, unknown>>;

export interface QueryOptions {
  /** Values of the query's `{name:Type}` places: they never become part of its text. */
  readonly params?: QueryParameters;
  readonly settings?: ClickHouseSettings;
  readonly signal?: AbortSignal;
}

/** The one way to ClickHouse. Every method rejects with `ClickHouseFailure` and repeats nothing. */
export interface ClickHouse {
  readonly database: string;
  /** The quoted, qualified name of one of our tables. Queries name the database themselves: it need not be the connection's. */
  table(name: string): string;
  /** All rows of a SELECT, integers of 64 bits as strings of digits. */
  rows<Row>(operation: string, query: string, options?: QueryOptions): Promise<Row[]>;
  /** Rows as they arrive, in the server's chunks; leaving the loop early cancels the query. */
  stream<Row>(operation: string, query: string, options?: QueryOptions): AsyncIterable<Row[]>;
  /** The answer's bytes as they arrive; the query states its FORMAT. */
  bytes(operation: string, query: string, options?: QueryOptions): AsyncIterable<Buffer>;
  /** A statement without an answer; resolves when it is done. */
  command(operation: string, query: string, options?: QueryOptions): Promise<void>;
  /** `query` is an INSERT that ends in its FORMAT, `body` the pieces of what follows it. Resolves when the rows are written. */
  insert(operation: string, query: string, body: Iterable<Buffer>, options?: QueryOptions): Promise<void>;
  close(): Promise<void>;
  /** The replicas that requests go to; absent with one server. See `replicated-client.ts`. */
  readonly replicas?: Replicas;
  /** The shards of a cluster. Requests above go to the home shard. Absent with one server, and in the client of one shard. See `sharded-client.ts`. */
  readonly shards?: Shards;
}

/** The replicas of one shard, each of which holds every table. Requests go to one of them until it fails. */
export interface Replicas {
  /** Name of the cluster in the servers' configuration. */
  readonly cluster: string;
  readonly all: readonly Replica[];
  /** Changes when later requests go to another replica. */
  epoch(): number;
  /** Resolves when the replica in use has every block of the table that any replica had committed before the call. */
  catchUp(table: string): Promise<void>;
}

export interface Replica {
  readonly url: string;
  /** Requests to this replica only. */
  readonly clickhouse: ClickHouse;
}

/** The shards of a cluster. The rows of a lane are in one of them (`lane-shards.ts`), all other rows are in the home shard. */
export interface Shards {
  readonly home: Shard;
  /** All of them, the home shard first. */
  readonly all: readonly Shard[];
}

export interface Shard {
  /** Requests to its replicas only. Tables have their own names, without the suffix of those that span shards. */
  readonly clickhouse: ClickHouse;
  /** The macro `{shard}` of its servers. */
  name(): Promise<string>;
}

/** Every query of ours says these itself: a server's profile may say otherwise. */
const ALWAYS: ClickHouseSettings = {
  // An acknowledged insert is a written one.
  async_insert: 0,
  // JSON.parse would round UInt64.
  output_format_json_quote_64bit_integers: 1,
  // Times as RFC 3339 with Z.
  date_time_output_format: 'iso',
};

/** `config.database` need not exist yet: the connection itself stays in the server's default one. */
export function createClickHouse(config: ClickHouseConfig): ClickHouse {
  const client = openClient(config);
  // With a connection of its own: long queries may take all of the others.
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

  /** Runs a read until it is answered or the server is found silent. */
  function watched<T>(options: QueryOptions, run: (options: QueryOptions) => Promise<T>): Promise<T> {
    return liveness.watch((silent) => {
      const signal = options.signal === undefined ? silent : AbortSignal.any([options.signal, silent]);
      return repeatOnce(() => run({ ...options, signal }));
    });
  }

  /** Runs a read again whose connection broke: a server may close an idle connection just as a request is sent on it. */
  async function repeatOnce<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isBrokenConnection(error)) throw error;
      return run();
    }
  }

  /** Runs a write. It is not repeated. */
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
    // Sockets idle for longer are dropped here before a server's or a proxy's own time-out closes them under a request.
    keep_alive: { enabled: true, idle_socket_ttl: 2_000, eagerly_destroy_stale_sockets: true },
    // Long lists in parameters would outgrow the URL.
    use_multipart_params_auto: true,
    compression: { request: false, response: false },
    log: { level: 127 }, // off: failures are thrown, and its lines would quote queries
    clickhouse_settings: { ...ALWAYS, ...config.settings },
  });
}

async function read(result: { json(): Promise<unknown> }): Promise<void> {
  await result.json();
}

/** Connects to a Unix socket, whatever the URL and the proxy variables of the environment say. */
function socketAgent(socketPath: string | (() => string), maxSockets: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets });
  agent.createConnection = () => createConnection(typeof socketPath === 'string' ? socketPath : socketPath());
  return agent;
}
