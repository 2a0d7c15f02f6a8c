import type { Place } from '../../place.ts';

/** Name of the cluster in `remote_servers`. */
export const CLUSTER = 'trapline_test';
/** Name of the cluster with the first shard only. */
export const FIRST_SHARD = 'trapline_test_first_shard';
/** Session timeout with ZooKeeper, after which a replica is inactive. */
export const SESSION_MS = 3_000;

export interface NodePlace {
  readonly shard: number;
  /** Also the macro {replica}. */
  readonly name: string;
  readonly http: number;
  readonly tcp: number;
  /** Address for clients; `peerAddress` is the address for other replicas. */
  readonly at: Place;
}

/** Disables merges: all parts exceed the size limit for merges. */
const NO_MERGES = `
    <max_bytes_to_merge_at_max_space_in_pool>1</max_bytes_to_merge_at_max_space_in_pool>
    <max_bytes_to_merge_at_min_space_in_pool>1</max_bytes_to_merge_at_min_space_in_pool>`;

/** Returns the configuration file of one node of a cluster. */
export function nodeConfig(
  node: NodePlace,
  nodes: readonly NodePlace[],
  options: {
    zooKeeper: { readonly address: string; readonly port: number };
    logFile: string;
    memoryMiB: number;
    merges: boolean;
    backups: string;
  },
): string {
  const shards = [...Map.groupBy(nodes, ({ shard }) => shard).values()].map((replicas) => {
    const entries = replicas.map(({ tcp, at }) => `<replica><host>${at.address}</host><port>${tcp}</port></replica>`);
    return `<shard><internal_replication>true</internal_replication>${entries.join('')}</shard>`;
  });
  const secret = '<secret>secret-of-the-tests</secret>';
  // The second address is the listener for replicas, see clickhouse-node.mjs. The limits on free threads are small
  // because the background pools are small.
  return `<clickhouse>
  <listen_host>${node.at.address}</listen_host>
  <listen_host>${node.at.peerAddress}</listen_host>
  <zookeeper>
    <node><host>${options.zooKeeper.address}</host><port>${options.zooKeeper.port}</port></node>
    <session_timeout_ms>${SESSION_MS}</session_timeout_ms>
  </zookeeper>
  <macros><cluster>${CLUSTER}</cluster><shard>${node.shard}</shard><replica>${node.name}</replica></macros>
  <remote_servers>
    <${CLUSTER}>${secret}${shards.join('')}</${CLUSTER}>
    <${FIRST_SHARD}>${secret}${shards[0]}</${FIRST_SHARD}>
  </remote_servers>
  <default_replica_path>/clickhouse/tables/{uuid}/{shard}</default_replica_path>
  <default_replica_name>{replica}</default_replica_name>
  <storage_configuration><disks><backups><type>local</type><path>${options.backups}/</path></backups></disks></storage_configuration>
  <backups><allowed_disk>backups</allowed_disk><allowed_path>${options.backups}/</allowed_path></backups>
  <max_server_memory_usage>${options.memoryMiB * 2 ** 20}</max_server_memory_usage>
  <mark_cache_size>33554432</mark_cache_size>
  <background_pool_size>2</background_pool_size>
  <background_schedule_pool_size>8</background_schedule_pool_size>
  <merge_tree>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>${options.merges ? '' : NO_MERGES}
  </merge_tree>
  <logger><level>warning</level><log>${options.logFile}</log><console>0</console></logger>
</clickhouse>
`;
}
