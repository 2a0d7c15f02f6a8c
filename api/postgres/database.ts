import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { hostUrls } from './hosts.ts';
import { prepareMarked } from './prepared.ts';
import { primaryOf, requireWritable } from './primary.ts';
import { endWhenUnanswered } from './unanswered-queries.ts';

/** Row types by table, in camelCase. Each subject adds its own tables by declaration merging, in the file that holds their queries. */
export interface Tables {
  /** Written by the migrator of Kysely. */
  kyselyMigration: { readonly name: string; readonly timestamp: string };
}

/** PostgreSQL, typed by the tables of the product. Columns are snake_case there and camelCase here. */
export type Database = Kysely<Tables>;
/** What the queries of a table take: the database, or the transaction they are part of. */
export type Db = Database | Transaction<Tables>;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. Of several hosts, joined by commas, the one that accepts writes is used. */
  readonly url: string;
  /**
   * The URL leads to a pooler that assigns connections by transaction, such as PgBouncer: no state of a session is used, neither prepared
   * statements nor settings. Only the client ends long queries then, unless the role has a `statement_timeout`. Default false.
   */
  readonly pooled?: boolean;
  /** Most connections of this process at a time. Default 10. */
  readonly connections?: number;
  /** How long a query may take, ms. Default 15,000. */
  readonly statementTimeoutMs?: number;
  /** How long a query may wait for a connection, ms. Default 5,000. */
  readonly connectionTimeoutMs?: number;
  /** Called for connections that broke while idle, perhaps more than once; the pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * A server with LLVM compiles statements whose estimated cost is high, each time they run. That of the trigger on executions is: it switches nested
 * loops off, which counts as a cost. Compiling it took a thousand times as long as running it.
 */
const WITHOUT_COMPILER = '-c jit=off';

const INT8 = 20;
/** The server has ended a query this long before we give its answer up, ms; see `endWhenUnanswered`. */
const ANSWER_MS = 2_000;

/** Opens a pool; it connects with the first query, so an unavailable server does not keep a process from starting. */
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
  const { pooled = false, onIdleError = () => {} } = options;
  // Sent when a connection opens; PgBouncer refuses connections with them.
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
    query_timeout: statementTimeoutMs + ANSWER_MS,
    ...(pooled ? {} : session),
    ...(writableOnly ? { verify: verifyWritable } : {}),
    types: {
      // Counts and row numbers of ours stay below 2^53; sums that might not are cast to text where they are asked for.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  });
  const reportIdleError = (error: Error & { client?: unknown }) => {
    // The pool adds the whole connection with its statements, which belong into no log.
    delete error.client;
    // The pool ends before the goodbye of its connections has arrived: a server that stops at that moment breaks none that is in use.
    if (!pool.ending) onIdleError(error);
  };
  pool.on('error', reportIdleError);
  // A connection that breaks between two queries of a transaction has no other listener, and would end the process; the next query reports it.
  pool.on('connect', (client) => client.on('error', reportIdleError));
  if (!pooled) pool.on('connect', prepareMarked);
  pool.on('connect', endWhenUnanswered);
  return pool;
}

function verifyWritable(client: PoolClient, done: (error?: Error) => void): void {
  requireWritable(client).then(() => done(), done);
}
