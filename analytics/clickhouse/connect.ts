import { type ClickHouse, type ClickHouseConfig, createClickHouse } from './client.ts';
import { createShardedClickHouse } from './sharded-client.ts';

export interface ServerConfig extends Pick<ClickHouseConfig, 'user' | 'database' | 'requestTimeoutMs'> {
  /** Addresses of the replicas of each shard, the home shard first. Without `cluster`: one address. */
  readonly shards: readonly (readonly string[])[];
  readonly password?: string | undefined;
  /** Name of the cluster to which `shards` belong. Absent: one server without replication. */
  readonly cluster?: string | undefined;
  /** True if the address is a service of ClickHouse Cloud. Default false. */
  readonly cloud?: boolean;
}

/**
 * In ClickHouse Cloud, a request to one address goes to any replica of the service. All replicas share the parts and
 * the deduplication tokens of a SharedMergeTree. With this setting, a replica reads the latest state from the keeper
 * before it answers. A query then sees every insert that was acknowledged before, as the lane chains require
 * (`lane-chain.ts`). Other engines ignore the setting or give a weaker guarantee.
 */
const SHARED_STORAGE = { select_sequential_consistency: '1' } as const;

/** Connects to the configured ClickHouse: one server, a service of ClickHouse Cloud, or the shards of a cluster. */
export function connectClickHouse({ shards, cluster, cloud, password = '', ...config }: ServerConfig): ClickHouse {
  const [[url = ''] = []] = shards;
  return cluster === undefined
    ? createClickHouse({ ...config, password, url, ...(cloud ? { settings: SHARED_STORAGE } : {}) })
    : createShardedClickHouse({ ...config, password, cluster: { name: cluster, shards } });
}
