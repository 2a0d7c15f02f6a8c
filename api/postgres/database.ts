import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { hostUrls } from './hosts.ts';
import { prepareMarked } from './prepared.ts';
import { primaryOf, requireWritable } from './primary.ts';
import { endWhenUnanswered } from './unanswered-queries.ts';

/**
 * Row types by table, in camelCase. Each subject adds its tables by declaration merging, in the file that holds their
 * queries.
 */
export interface Tables {
  /** Written by the migrator of Kysely. */
  kyselyMigration: { readonly name: string; readonly timestamp: string };
}

/** PostgreSQL, typed by the tables of the product. Columns are snake_case there and camelCase here. */
export type Database = Kysely<Tables>;
/** Type of the first parameter of queries: the database, or a transaction. */
export type Db = Database | Transaction<Tables>;

export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/database`. With several hosts, separated by commas, the one that accepts writes
   * is used.
   */
  readonly url: string;
  /**
   * True if the URL is that of a pooler that assigns connections per transaction, such as PgBouncer. No session state
   * is then used: neither prepared statements nor settings. Only the client ends long queries then, unless the role has
   * a `statement_timeout`. Default false.
   */
  readonly pooled?: boolean;
  /** Maximum number of connections of this process. Default 10. */
  readonly connections?: number;
  /** Timeout of a query in ms. Default 15,000. */
  readonly statementTimeoutMs?: number;
  /** Timeout of the wait for a connection in ms. Default 5,000. */
  readonly connectionTimeoutMs?: number;
  /** Time in ms for which idle connections stay open; see `KEPT_CONNECTIONS` for those that stay longer. Default 60,000. */
  readonly idleMs?: number;
  /** Called for connections that broke while idle, possibly several times per connection. The pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * Disables JIT compilation. A server with LLVM compiles statements with a high estimated cost each time they run. The
 * trigger on executions has such a cost, because it disables nested loops. Compiling it took a thousand times as long
 * as running it.
 */
const WITHOUT_COMPILER = '-c jit=off';

/**
 * Idle connections that a pool keeps open, if it connects to one server and without a pooler. With several servers,
 * each kept connection could wait for the timeout of a query after a failover. A new connection needs milliseconds to
 * sign in, reads the catalog, and plans each prepared statement five times. Connections opened in a burst delay the
 * requests of that burst.
 */
const KEPT_CONNECTIONS = 4;
/** Time in ms for which further idle connections stay open. */
const IDLE_MS = 60_000;
/** Time in ms after which TCP checks an idle connection, so that firewalls do not forget it. */
const KEEP_ALIVE_MS = 30_000;
const INT8 = 20;
/**
 * Additional time in ms before the client gives up on a query that the server should have ended; see
 * `endWhenUnanswered`.
 */
const ANSWER_MS = 2_000;

/** Creates a pool. It connects on the first query, so a process can start while the server is unavailable. */
export function createDatabase(options: DatabaseOptions): Database {
  const urls = hostUrls(options.url);
  const pools = urls.map((url) => openPool(url, options, urls.length > 1));
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: pools.length === 1 ? (pools[0] as Pool) : primaryOf(pools) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

function openPool(url: string, options: DatabaseOptions, writableOnly: boolean): Pool {
  const { connections = 10, statementTimeoutMs = 15_000, connectionTimeoutMs = 5_000 } = options;
  const { pooled = false, idleMs = IDLE_MS, onIdleError = () => {} } = options;
  // Startup parameters of a connection. PgBouncer rejects connections with them.
  const session = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    options: WITHOUT_COMPILER,
  };
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: 'trapline',
    connectionTimeoutMillis: connectionTimeoutMs,
    min: pooled || writableOnly ? 0 : KEPT_CONNECTIONS,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    query_timeout: statementTimeoutMs + ANSWER_MS,
    ...(pooled ? {} : session),
    ...(writableOnly ? { verify: verifyWritable } : {}),
    types: {
      // Our counts and row numbers stay below 2^53. Queries cast sums that might exceed it to text.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  });
  const reportIdleError = (error: Error & { client?: unknown }) => {
    // The pool attaches the whole connection with its statements, which must not be logged.
    delete error.client;
    // The pool ends before the server has closed its connections. If the server stops at that moment, the errors affect
    // no connection in use.
    if (!pool.ending) onIdleError(error);
  };
  pool.on('error', reportIdleError);
  // A connection that breaks between two queries of a transaction has no other listener, and the error would end the
  // process. The next query reports it.
  pool.on('connect', (client) => client.on('error', reportIdleError));
  if (!pooled) pool.on('connect', prepareMarked);
  pool.on('connect', endWhenUnanswered);
  return pool;
}

function verifyWritable(client: PoolClient, done: (error?: Error) => void): void {
  requireWritable(client).then(() => done(), done);
}
