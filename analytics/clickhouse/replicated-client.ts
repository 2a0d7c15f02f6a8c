import type { ClickHouseSettings } from '@clickhouse/client';
import { type ClickHouse, type ClickHouseConfig, createClickHouse, type QueryOptions, type Replica } from './client.ts';
import { ClickHouseFailure } from './failure.ts';

export interface ReplicatedClickHouseConfig extends Omit<ClickHouseConfig, 'url' | 'socketPath'> {
  readonly cluster: { readonly name: string; readonly urls: readonly string[] };
  /** Index of the first replica to use. Default: random, so that processes distribute their load. */
  readonly first?: number;
}

/** An insert is acknowledged when a majority of the replicas has the block. The timeout is below that of the request. */
const QUORUM = { insert_quorum: 'auto', insert_quorum_timeout: 20_000 } as const;

/** Settings of every request to a replicated server. */
const REPLICATED = {
  // A DDL statement waits for active replicas only. An unavailable replica runs it when it returns. The client's types lack this value.
  distributed_ddl_output_mode: 'none_only_active' as string as 'none',
  distributed_ddl_task_timeout: '20',
} as const;

/** Time limit for a replica to catch up, seconds. After it, requests go to another replica. */
const CATCH_UP_SECONDS = 15;

/**
 * Error codes after which another replica may succeed: this one is shutting down, disconnected from the keeper, or
 * lacks the tables.
 */
const REPLICA_UNUSABLE = new Set([
  '60', // UNKNOWN_TABLE
  '81', // UNKNOWN_DATABASE
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '225', // NO_ZOOKEEPER
  '236', // ABORTED
  '242', // TABLE_IS_READ_ONLY
  '244', // UNEXPECTED_ZOOKEEPER_ERROR
  '999', // KEEPER_EXCEPTION
]);

/**
 * Presents the replicas of one shard as one ClickHouse. One replica serves all requests until it is unreachable or
 * unusable. Then the next one does. A read that fails this way is retried once on each other replica. Writes are not
 * retried here.
 *
 * Another replica may lack blocks that the previous one had. `replicas.epoch()` shows the change, and
 * `replicas.catchUp()` waits for the missing blocks.
 */
export function createReplicatedClickHouse(config: ReplicatedClickHouseConfig): ClickHouse {
  const { cluster, first, ...common } = config;
  // A quorum of one replica never completes: the server reports error 319. `replica-check.ts` checks that one address
  // is one replica.
  const settings: ClickHouseSettings = {
    ...REPLICATED,
    ...(cluster.urls.length > 1 ? QUORUM : {}),
    ...config.settings,
  };
  const all = cluster.urls.map(
    (url): Replica => ({ url, clickhouse: createClickHouse({ ...common, url, settings, endsSilentWrites: true }) }),
  );
  const start = first ?? Math.floor(Math.random() * all.length);
  let epoch = 0;
  const current = (): ClickHouse => (all[(start + epoch) % all.length] as Replica).clickhouse;

  /** Switches to the next replica, unless a concurrent request has already switched. */
  function leave(failedEpoch: number): void {
    if (epoch === failedEpoch) epoch++;
  }

  async function attempt<T>(run: (replica: ClickHouse) => Promise<T>): Promise<T> {
    const then = epoch;
    try {
      return await run(current());
    } catch (error) {
      if (isUnusable(error)) leave(then);
      throw error;
    }
  }

  async function read<T>(run: (replica: ClickHouse) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await attempt(run);
      } catch (error) {
        if (tried === all.length || !isUnusable(error)) throw error;
      }
    }
  }

  /** Switches to another replica only before the first chunk, because yielded chunks cannot be withdrawn. */
  async function* readChunks<T>(run: (replica: ClickHouse) => AsyncIterable<T>): AsyncGenerator<T> {
    const chunks = await read(async (replica) => {
      const iterator = run(replica)[Symbol.asyncIterator]();
      return { iterator, first: await iterator.next() };
    });
    const then = epoch;
    try {
      for (let next = chunks.first; next.done !== true; next = await chunks.iterator.next()) yield next.value;
    } catch (error) {
      if (isUnusable(error)) leave(then);
      throw error;
    } finally {
      await chunks.iterator.return?.();
    }
  }

  const one = all[0] as Replica;
  return {
    database: config.database,
    table: (name) => one.clickhouse.table(name),
    rows: <Row>(operation: string, query: string, options?: QueryOptions) =>
      read((replica) => replica.rows<Row>(operation, query, options)),
    stream: <Row>(operation: string, query: string, options?: QueryOptions) =>
      readChunks((replica) => replica.stream<Row>(operation, query, options)),
    bytes: (operation, query, options) => readChunks((replica) => replica.bytes(operation, query, options)),
    command: (operation, query, options) => attempt((replica) => replica.command(operation, query, options)),
    insert: (operation, query, body, options) => attempt((replica) => replica.insert(operation, query, body, options)),
    async close() {
      await Promise.all(all.map(({ clickhouse }) => clickhouse.close()));
    },
    replicas: {
      cluster: cluster.name,
      all,
      epoch: () => epoch,
      async catchUp(table) {
        const then = epoch;
        try {
          await current().command(
            `catch up with ${table}`,
            `SYSTEM SYNC REPLICA ${one.clickhouse.table(table)} LIGHTWEIGHT`,
            { settings: { receive_timeout: CATCH_UP_SECONDS } },
          );
        } catch (error) {
          leave(then);
          throw error;
        }
      },
    },
  };
}

/** Returns true if another replica may serve the failed request. */
function isUnusable(error: unknown): boolean {
  if (!(error instanceof ClickHouseFailure)) return false;
  const isOfServer = /^\d+$/.test(error.code);
  return isOfServer ? REPLICA_UNUSABLE.has(error.code) : error.temporary;
}
