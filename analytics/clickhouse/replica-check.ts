import type { ClickHouse, Replica } from './client.ts';

/** What is behind one address of `CLICKHOUSE_URL`. */
export interface AddressFacts {
  readonly url: string;
  /** Ids of the servers that answered: several are behind a load balancer. Empty when none answered. */
  readonly servers: readonly string[];
  /** Of the cluster that the server knows by the name; 0 when it knows none. */
  readonly shards: number;
  readonly replicas: number;
}

/** So many queries at once take connections of their own, which a load balancer spreads over its servers. */
const QUERIES = 8;

/** Ids of the servers that answer at one address. */
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

/** Asks each address of a cluster for what is behind it. */
export function inspectAddresses(replicas: readonly Replica[], cluster: string): Promise<readonly AddressFacts[]> {
  return Promise.all(
    replicas.map(async ({ url, clickhouse }): Promise<AddressFacts> => {
      try {
        const [servers, [row]] = await Promise.all([
          serversBehind(clickhouse),
          clickhouse.rows<{ shards: string; replicas: string }>(
            'read the layout of the cluster',
            `SELECT uniqExact(shard_num) AS shards, count() AS replicas FROM system.clusters WHERE cluster = {cluster:String}`,
            { params: { cluster } },
          ),
        ]);
        return { url, servers, shards: Number(row?.shards ?? 0), replicas: Number(row?.replicas ?? 0) };
      } catch {
        return { url, servers: [], shards: 0, replicas: 0 };
      }
    }),
  );
}

/** Why Trapline cannot write through these addresses, one line for each reason. Addresses that do not answer are left out. */
export function addressProblems(facts: readonly AddressFacts[], cluster: string): string[] {
  const answering = facts.filter(({ servers }) => servers.length > 0);
  const problems: string[] = [];
  for (const { url, servers } of answering)
    if (servers.length > 1)
      problems.push(`${url} is a load balancer in front of ${servers.length} replicas: list each replica`);
  for (const [index, { url, servers }] of answering.entries()) {
    const same = answering.slice(0, index).find((other) => other.servers.some((id) => servers.includes(id)));
    if (same !== undefined) problems.push(`${url} and ${same.url} are the same server: list each replica once`);
  }
  for (const { url, shards, replicas } of answering) {
    if (shards === 0) problems.push(`${url} does not know the cluster ${cluster}: see system.clusters`);
    if (shards > 1) problems.push(`${url}: the cluster ${cluster} has ${shards} shards, and only one is supported`);
    if (shards === 1 && facts.length < Math.floor(replicas / 2) + 1)
      problems.push(`${url}: the cluster ${cluster} has ${replicas} replicas: list a majority of them, better all`);
  }
  return [...new Set(problems)];
}
