import { type ClickHouse, type ClickHouseConfig, createClickHouse } from './client.ts';
import { createReplicatedClickHouse } from './replicated-client.ts';

export interface ServerConfig extends Pick<ClickHouseConfig, 'user' | 'database' | 'requestTimeoutMs'> {
  readonly urls: readonly string[];
  readonly password?: string | undefined;
  /** Name of the cluster whose replicas `urls` are. Absent: one server without replication. */
  readonly cluster?: string | undefined;
}

/** The ClickHouse of the configuration: one server, or the replicas of a cluster. */
export function connectClickHouse({ urls, cluster, password = '', ...config }: ServerConfig): ClickHouse {
  const [url = ''] = urls;
  return cluster === undefined
    ? createClickHouse({ ...config, password, url })
    : createReplicatedClickHouse({ ...config, password, cluster: { name: cluster, urls } });
}
