import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import {
  addressProblems,
  inspectAddresses,
  replicaGroups,
  serversBehind,
} from '#analytics/clickhouse/replica-check.ts';
import { engineOfEvents, storageProblems } from '#analytics/clickhouse/storage-check.ts';
import { usageError } from '../cli/command-error.ts';
import type { Config } from '../config.ts';

/**
 * Rejects with a usage error unless each address of `CLICKHOUSE_URL` is one server, or a service of ClickHouse Cloud.
 * Behind any other load balancer, a block may be written to one replica and looked up on another, which stores events
 * twice. For processes that land events.
 */
export async function requireReplicas(
  clickhouse: ClickHouse,
  { cloud }: Pick<Config['clickhouse'], 'cloud'>,
): Promise<void> {
  const problems = await problemsOf(clickhouse, cloud);
  if (problems.length > 0)
    throw usageError(`CLICKHOUSE_URL cannot be used to land events\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

async function problemsOf(clickhouse: ClickHouse, cloud: boolean): Promise<readonly string[]> {
  const { replicas } = clickhouse;
  if (replicas !== undefined)
    return addressProblems(await inspectAddresses(replicaGroups(clickhouse), replicas.cluster), replicas.cluster);
  try {
    const storage = storageProblems(await engineOfEvents(clickhouse), cloud);
    if (cloud || storage.length > 0) return storage;
    const servers = await serversBehind(clickhouse);
    return servers.length <= 1
      ? []
      : [`it is a load balancer in front of ${servers.length} servers: name one server, or set CLICKHOUSE_CLUSTER`];
  } catch (error) {
    // Unavailable: the lanes retry later.
    if (isTemporary(error)) return [];
    throw error;
  }
}
