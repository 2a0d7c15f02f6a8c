import { type ClickHouse, type ClickHouseConfig, createClickHouse } from './client.ts';
import { createShardedClickHouse } from './sharded-client.ts';

export interface ServerConfig extends Pick<ClickHouseConfig, 'user' | 'database' | 'requestTimeoutMs'> {
  /** Addresses of the replicas of each shard, the home shard first. Without `cluster`: one address. */
  readonly shards: readonly (readonly string[])[];
  readonly password?: string | undefined;
  /** Name of the cluster that `shards` are of. Absent: one server without replication. */
  readonly cluster?: string | undefined;
}

/** The ClickHouse of the configuration: one server, or the shards of a cluster. */
export function connectClickHouse({ shards, cluster, password = '', ...config }: ServerConfig): ClickHouse {
  const [[url = ''] = []] = shards;
  return cluster === undefined
    ? createClickHouse({ ...config, password, url })
    : createShardedClickHouse({ ...config, password, cluster: { name: cluster, shards } });
}
