import type { ClickHouse, Shard } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { CommandError } from '../cli/command-error.ts';
import { closeBackups, type DestinationOf } from './clickhouse-copy.ts';

/** A shard of a cluster, or a single server. */
export interface BackupShard {
  /** Value of the macro `{shard}`; undefined without a cluster. */
  readonly name: string | undefined;
  /** Connection to one server, because only the server that runs a BACKUP knows its state. */
  readonly clickhouse: ClickHouse;
  /** All servers of the shard. */
  readonly servers: readonly ClickHouse[];
}

/** Maximum time for a replica to catch up, seconds. */
const CATCH_UP_SECONDS = 600;

/**
 * Returns the shards of a cluster, home shard first, or the single server. Uses the first replica of each shard that
 * responds.
 */
export async function chooseServers(clickhouse: ClickHouse): Promise<BackupShard[]> {
  if (clickhouse.shards === undefined) return [{ name: undefined, clickhouse, servers: [clickhouse] }];
  return Promise.all(clickhouse.shards.all.map(chooseServer));
}

async function chooseServer({ clickhouse: { replicas } }: Shard): Promise<BackupShard> {
  const servers = (replicas?.all ?? []).map((replica) => replica.clickhouse);
  for (const clickhouse of servers) {
    const name = await macroOf(clickhouse);
    if (name === undefined) continue;
    if (!/^[\w.-]+$/.test(name))
      throw new CommandError(
        `the name of a shard must consist of letters, digits, \`_\`, \`.\` and \`-\` (got ${name})`,
      );
    return { name, clickhouse, servers };
  }
  throw new CommandError(`no replica of a shard responds: ${replicas?.all.map(({ url }) => url).join(', ')}`);
}

/** Returns the macro `{shard}` of a server; undefined if it does not respond. */
async function macroOf(clickhouse: ClickHouse): Promise<string | undefined> {
  try {
    const [row] = await clickhouse.rows<{ shard: string }>('read the shard', `SELECT getMacro('shard') AS shard`);
    return row?.shard;
  } catch (error) {
    if (!isTemporary(error)) throw error;
    return undefined;
  }
}

/** Closes backups that a killed process had opened, on all servers that respond. */
export async function closeAllBackups(shards: readonly BackupShard[]): Promise<void> {
  const closings = shards.flatMap(({ servers }) => servers.map(closeBackups));
  for (const outcome of await Promise.allSettled(closings))
    if (outcome.status === 'rejected' && !isTemporary(outcome.reason)) throw outcome.reason;
}

/** Returns the destination of a shard. */
export function destinationIn(shard: string | undefined, destinationOf: DestinationOf): DestinationOf {
  return shard === undefined ? destinationOf : (group) => destinationOf(`shard-${shard}/${group}`);
}

/**
 * Waits until a replica has every block that was committed on any replica before the call. Does nothing without a
 * cluster.
 */
export async function catchUp(server: ClickHouse, shard: string | undefined, tables: readonly string[]): Promise<void> {
  if (shard === undefined) return;
  for (const table of tables)
    await server.command(`catch up with ${table}`, `SYSTEM SYNC REPLICA ${server.table(table)} LIGHTWEIGHT`, {
      settings: { receive_timeout: CATCH_UP_SECONDS },
    });
}

/** Waits for all operations, so that none is running when the result is known. Rejects with the first failure. */
export async function onAll<S, T>(items: readonly S[], work: (item: S) => Promise<T>): Promise<T[]> {
  const works = items.map(work);
  await Promise.allSettled(works);
  return Promise.all(works);
}
