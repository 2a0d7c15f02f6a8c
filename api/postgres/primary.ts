import type { PostgresPool } from 'kysely';
import { Client, type ClientBase, type ClientConfig, type Pool } from 'pg';
import { isDatabaseUnavailable } from './failure.ts';
import { hostUrls } from './hosts.ts';

/** A server that hangs is left for the next one. */
const VERIFY_MS = 5_000;
/** SQLSTATE of PostgreSQL for a statement that a standby, or a server that became one, does not execute. */
const READ_ONLY = '25006';

/** True for the error of a write on a server that accepts none. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === READ_ONLY;
}

/** Rejects, with the code of a read-only transaction, when the server accepts no writes. */
export async function requireWritable(client: Pick<ClientBase, 'query'>): Promise<void> {
  const query = { text: 'SHOW transaction_read_only', query_timeout: VERIFY_MS };
  const { rows } = await client.query<{ transaction_read_only: string }>(query);
  if (rows[0]?.transaction_read_only === 'on')
    throw Object.assign(new Error('the PostgreSQL server is read-only: it is a standby'), { code: READ_ONLY });
}

/**
 * One pool of several, each of another server: connections are those of the server that accepts writes. The pools verify this for each new
 * connection. The server that was the last one to accept writes is tried first; another one is tried when it is unavailable.
 */
export function primaryOf(pools: readonly Pool[]): PostgresPool {
  let last = 0;
  return {
    options: {},
    async connect() {
      const first = last;
      let failure: unknown;
      for (const offset of pools.keys()) {
        const index = (first + offset) % pools.length;
        try {
          const client = await (pools[index] as Pool).connect();
          last = index;
          return client;
        } catch (error) {
          if (!isDatabaseUnavailable(error)) throw error;
          failure ??= error;
        }
      }
      throw failure;
    },
    async end() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/**
 * A connection of its own to the server of the URI that accepts writes, for what needs a session: a pooler in transaction mode keeps none.
 * Rejects with the error of the first host when none is available.
 */
export async function connectToPrimary(uri: string, config: Omit<ClientConfig, 'connectionString'>): Promise<Client> {
  const urls = hostUrls(uri);
  let failure: unknown;
  for (const connectionString of urls) {
    const client = new Client({ ...config, connectionString });
    client.on('error', () => {}); // the query in flight rejects, and `end` follows
    try {
      await client.connect();
      if (urls.length > 1) await requireWritable(client);
      return client;
    } catch (error) {
      failure ??= error;
      await client.end().catch(() => {});
    }
  }
  throw failure;
}
