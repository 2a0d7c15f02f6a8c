import type { FastifyRequest } from 'fastify';
import { principalOf } from '#api/http/access/caller.ts';
import type { Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { mayReadReplica } from './freshness.ts';
import type { RecentWrites } from './recent-writes.ts';
import type { Replica } from './replica.ts';

/**
 * Reads a list for the caller of a request, from the replica if slightly stale data are allowed. If the replica fails,
 * `read` is called a second time with the primary.
 */
export type ReadLists = <T>(
  request: Pick<FastifyRequest, 'caller'>,
  read: (database: Database) => Promise<T>,
) => Promise<T>;

/** Returns a `ReadLists` without a replica, which always reads from the primary. */
export function readFromPrimary(primary: Database): ReadLists {
  return (_request, read) => read(primary);
}

/** Returns a `ReadLists` that chooses between primary and replica. */
export function createReadLists({
  primary,
  replica,
  writes,
  now,
}: {
  readonly primary: Database;
  readonly replica: Pick<Replica, 'database' | 'completeUpTo'>;
  readonly writes: Pick<RecentWrites, 'has'>;
  /** The clock of `completeUpTo` of the replica. */
  readonly now: () => number;
}): ReadLists {
  return async (request, read) => {
    const wroteLately = request.caller === undefined ? undefined : await writes.has(principalOf(request.caller));
    if (!mayReadReplica({ completeUpTo: replica.completeUpTo(), now: now(), wroteLately })) return read(primary);
    try {
      return await read(replica.database);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      return read(primary);
    }
  };
}
