import { createDatabase } from '#api/postgres/database.ts';
import { createReadLists, type ReadLists } from '#api/read-replica/read-lists.ts';
import { createRecentWrites, type RecentWrites } from '#api/read-replica/recent-writes.ts';
import { watchReplica } from '#api/read-replica/replica.ts';
import type { Foundation } from './foundation.ts';

/** Members are undefined if no replica is configured. */
export interface ReadReplicaPart {
  readonly readLists?: ReadLists;
  readonly writes?: RecentWrites;
}

/** Opens the replica for lists, if configured. It may be unavailable. */
export async function startReadReplica({
  config,
  lifecycle,
  log,
  database: primary,
  shared,
}: Pick<Foundation, 'config' | 'lifecycle' | 'log' | 'database' | 'shared'>): Promise<ReadReplicaPart> {
  const { replicaUrl: url, pooled } = config.postgres;
  if (url === undefined) return {};
  const now = () => performance.now();
  const replica = await lifecycle.start('PostgreSQL replica', () => {
    const onIdleError = (err: Error) => log.warn({ err }, 'PostgreSQL replica connection lost');
    const database = createDatabase({ url, pooled, onIdleError });
    const value = watchReplica({ primary, replica: database, logger: log, now });
    const stop = async () => {
      await value.stop();
      await database.destroy();
    };
    return { value, stop };
  });
  const writes = createRecentWrites(shared.cache);
  return { writes, readLists: createReadLists({ primary, replica, writes, now }) };
}
