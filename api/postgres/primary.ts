import type { PostgresPool } from 'kysely';
import { Client, type ClientBase, type ClientConfig, type Pool } from 'pg';
import { isDatabaseUnavailable } from './failure.ts';
import { hostUrls } from './hosts.ts';

/** Timeout in ms for the check of a server, before the next one is tried. */
const VERIFY_MS = 5_000;
/** SQLSTATE of PostgreSQL for a write on a standby, or on a server that became one. */
const READ_ONLY = '25006';

/** True for the error of a write on a read-only server. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === READ_ONLY;
}

/** Rejects with the code of a read-only transaction if the server accepts no writes. */
export async function requireWritable(client: Pick<ClientBase, 'query'>): Promise<void> {
  const query = { text: 'SHOW transaction_read_only', query_timeout: VERIFY_MS };
  const { rows } = await client.query<{ transaction_read_only: string }>(query);
  if (rows[0]?.transaction_read_only === 'on')
    throw Object.assign(new Error('the PostgreSQL server is read-only: it is a standby'), { code: READ_ONLY });
}

/**
 * Combines pools of different servers into one that connects to the server that accepts writes. The pools verify each
 * new connection. The last known primary is tried first, then the others if it is unavailable.
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
 * Opens a dedicated connection to the server of the URI that accepts writes. Use it for session state, which a pooler
 * in transaction mode does not keep. Rejects with the error of the first host if none is available.
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
