import type { ClickHouseSettings } from '@clickhouse/client';
import type { ClickHouse, Shard } from './client.ts';
import { createReplicatedClickHouse, type ReplicatedClickHouseConfig } from './replicated-client.ts';
import { nameAcrossShards } from './tables/across-shards.ts';

export interface ShardedClickHouseConfig extends Omit<ReplicatedClickHouseConfig, 'cluster'> {
  /** `shards`: addresses of the replicas of each shard, the home shard first. */
  readonly cluster: { readonly name: string; readonly shards: readonly (readonly string[])[] };
}

/**
 * Presents the shards of a cluster as one ClickHouse. Requests go to the home shard. There, tables whose rows are
 * distributed over the shards are read through Distributed tables (`migrations/shards.ts`), whose names `table()`
 * returns. Blocks of a lane are written to its own shard (`lane-shards.ts`), never through a Distributed table. That
 * would choose the replica, and the row could not be read back there.
 */
export function createShardedClickHouse({ cluster, ...common }: ShardedClickHouseConfig): ClickHouse {
  const { name, shards } = cluster;
  const all = shards.map((urls, index) =>
    shardOf(
      createReplicatedClickHouse({
        ...common,
        cluster: { name, urls },
        ...(index === 0 && shards.length > 1 ? { settings: { ...acrossShards(), ...common.settings } } : {}),
      }),
    ),
  );
  const [home] = all;
  if (home === undefined) throw new TypeError('a cluster has at least one shard');
  return {
    ...home.clickhouse,
    table: (table) => home.clickhouse.table(shards.length > 1 ? nameAcrossShards(table) : table),
    async close() {
      await Promise.all(all.map(({ clickhouse }) => clickhouse.close()));
    },
    shards: { home, all },
  };
}

/** Settings of queries on Distributed tables. */
function acrossShards(): ClickHouseSettings {
  return {
    // Subqueries run once, on the server that receives the query, and their rows are sent to the shards.
    distributed_product_mode: 'global',
    // An unavailable shard is an error. Otherwise, rows would be missing from results.
    skip_unavailable_shards: 0,
    // All queries of a process go to the same replica of a shard until it fails, so that the pages of a list are
    // consistent.
    load_balancing: 'first_or_random',
    load_balancing_first_offset: String(Math.floor(Math.random() * 1_000)),
  };
}

function shardOf(clickhouse: ClickHouse): Shard {
  let known: string | undefined;
  return {
    clickhouse,
    async name() {
      if (known === undefined) {
        const [row] = await clickhouse.rows<{ shard: string }>(
          'read the name of the shard',
          `SELECT getMacro('shard') AS shard`,
        );
        known = row?.shard ?? '';
      }
      return known;
    },
  };
}
