import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { deleteOtherSessions, deleteOwnSession } from '../tables/sessions.ts';
import type { AnnounceEnded } from './announce-ended.ts';

/** Functions for users to end their own sessions. Each ended session has an audit entry. */
export interface EndSessions {
  /** Ends a session of the caller. False if the caller has no such session. */
  one(caller: SessionCaller, sessionId: string, origin: RequestOrigin): Promise<boolean>;
  /** Ends all sessions of the caller except the current one. Resolves to their number. */
  others(caller: SessionCaller, origin: RequestOrigin): Promise<number>;
}

export interface EndSessionsDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly announceEnded: AnnounceEnded;
}

export function createEndSessions({ database, audit, announceEnded }: EndSessionsDeps): EndSessions {
  async function end(userId: string, origin: RequestOrigin, remove: (transaction: Db) => Promise<string[]>) {
    const ended = await inTransaction(database, async (transaction) => {
      const removed = await remove(transaction);
      for (const id of removed)
        await audit.record(transaction, {
          actor: `user:${userId}`,
          target: `session:${id}`,
          action: 'session.end',
          origin,
        });
      return removed;
    });
    for (const sessionId of ended) await announceEnded({ sessionId });
    return ended.length;
  }

  return {
    one: async ({ userId }, id, origin) =>
      (await end(userId, origin, async (db) => ((await deleteOwnSession(db, userId, id)) ? [id] : []))) > 0,
    others: ({ userId, sessionId }, origin) => end(userId, origin, (db) => deleteOtherSessions(db, userId, sessionId)),
  };
}
