import type { ClickHouse, Replica } from './client.ts';
import { laneShardsTable } from './tables/lane-shards.ts';

/** Facts about one address of `CLICKHOUSE_URL`. */
export interface AddressFacts {
  readonly url: string;
  /** Index of the address group in which it is listed, from 0. */
  readonly group: number;
  /** Ids of the servers that responded. Several if it is a load balancer, empty if none responded. */
  readonly servers: readonly string[];
  /** The macro `{shard}`. */
  readonly shard: string;
  /** Number of shards in the cluster of that name, as the server knows it; 0 if it knows none. */
  readonly shards: number;
  /** Number of replicas of the server's own shard in that cluster; 0 if the server is not part of it. */
  readonly replicas: number;
  /** True if the server has the records of lane shards: it is then in the home shard. */
  readonly hasRecords: boolean;
}

/**
 * Number of concurrent queries. Each uses its own connection, and a load balancer distributes the connections over its
 * servers.
 */
const QUERIES = 8;

/** Returns the ids of the servers that respond at one address. */
export async function serversBehind(clickhouse: ClickHouse): Promise<readonly string[]> {
  const answers = await Promise.all(
    Array.from({ length: QUERIES }, () =>
      clickhouse.rows<{ id: string }>(
        'read the id of the server',
        // The pause keeps a connection in use until the others are open.
        'SELECT toString(serverUUID()) AS id, sleep(0.05) AS pause',
      ),
    ),
  );
  return [...new Set(answers.flatMap((rows) => rows.map(({ id }) => id)))];
}

/** Returns the replicas that a cluster client uses, by shard. Empty with one server. */
export function replicaGroups({ shards, replicas }: ClickHouse): readonly (readonly Replica[])[] {
  if (shards !== undefined) return shards.all.map(({ clickhouse }) => clickhouse.replicas?.all ?? []);
  return replicas === undefined ? [] : [replicas.all];
}

/** Queries each address of a cluster for its facts. */
export function inspectAddresses(
  groups: readonly (readonly Replica[])[],
  cluster: string,
): Promise<readonly AddressFacts[]> {
  return Promise.all(
    groups.flatMap((replicas, group) =>
      replicas.map(async ({ url, clickhouse }): Promise<AddressFacts> => {
        try {
          const [servers, [row], [records]] = await Promise.all([
            serversBehind(clickhouse),
            clickhouse.rows<{ shards: string; replicas: string; shard: string }>(
              'read the layout of the cluster',
              `SELECT uniqExact(shard_num) AS shards, max(if(has_local, of_shard, 0)) AS replicas, getMacro('shard') AS shard FROM (
                 SELECT shard_num, count() AS of_shard, max(is_local) AS has_local FROM system.clusters
                 WHERE cluster = {cluster:String} GROUP BY shard_num)`,
              { params: { cluster } },
            ),
            clickhouse.rows<{ found: string }>(
              'look for the records of lanes',
              `SELECT sum(total_rows) AS found FROM system.tables WHERE database = {database:String} AND name = {table:String}`,
              { params: { database: clickhouse.database, table: laneShardsTable.name } },
            ),
          ]);
          const [shards = 0, count = 0] = [row?.shards, row?.replicas].map(Number);
          const hasRecords = Number(records?.found ?? 0) > 0;
          return { url, group, servers, shard: row?.shard ?? '', shards, replicas: count, hasRecords };
        } catch {
          return { url, group, servers: [], shard: '', shards: 0, replicas: 0, hasRecords: false };
        }
      }),
    ),
  );
}

/**
 * Returns the reasons why Trapline cannot write through these addresses, one line each. Ignores addresses that do not
 * respond.
 */
export function addressProblems(facts: readonly AddressFacts[], cluster: string): string[] {
  const answering = facts.filter(({ servers }) => servers.length > 0);
  const groups = new Set(facts.map(({ group }) => group)).size;
  const problems: string[] = [];
  for (const { url, servers } of answering)
    if (servers.length > 1)
      problems.push(`${url} is a load balancer in front of ${servers.length} replicas: list each replica`);
  for (const [index, { url, servers }] of answering.entries()) {
    const same = answering.slice(0, index).find((other) => other.servers.some((id) => servers.includes(id)));
    if (same !== undefined) problems.push(`${url} and ${same.url} are the same server: list each replica once`);
  }
  for (const { url, group, shards, replicas, hasRecords } of answering) {
    if (group > 0 && hasRecords)
      problems.push(`${url} is in the home shard, which has the records of lanes: list that shard first`);
    const listed = facts.filter((other) => other.group === group).length;
    if (shards === 0) problems.push(`${url} does not know the cluster ${cluster}: see system.clusters`);
    else if (shards !== groups)
      problems.push(`${url}: the cluster ${cluster} has ${shards} shards, and CLICKHOUSE_URL lists ${groups}`);
    if (listed < Math.floor(replicas / 2) + 1)
      problems.push(
        `${url}: its shard in the cluster ${cluster} has ${replicas} replicas: list a majority of them, better all`,
      );
  }
  return [...new Set([...problems, ...groupProblems(answering)])];
}

/** Checks that the replicas of a shard are in one group, and that each group is a different shard. */
function groupProblems(answering: readonly AddressFacts[]): string[] {
  return answering.flatMap((one, index) =>
    answering.slice(0, index).flatMap((other) => {
      if ((one.shard === other.shard) === (one.group === other.group)) return [];
      return one.group === other.group
        ? [`${one.url} is in the shard ${one.shard} and ${other.url} in ${other.shard}: put a semicolon between shards`]
        : [`${one.url} and ${other.url} are both in the shard ${one.shard}: put a comma between replicas of a shard`];
    }),
  );
}
