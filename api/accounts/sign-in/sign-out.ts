import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import type { Sessions } from '../sessions/sessions.ts';

export type SignOut = (caller: SessionCaller, origin: RequestOrigin) => Promise<void>;

/** Ends the session of who asks; its cookie is worth nothing from then on. */
export function createSignOut(deps: {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'end'>;
  readonly audit: Audit;
  readonly announceEnded: AnnounceEnded;
}): SignOut {
  return async ({ userId, sessionId }, origin) => {
    await inTransaction(deps.database, async (transaction) => {
      if (!(await deps.sessions.end(sessionId, transaction))) return;
      await deps.audit.record(transaction, {
        actor: `user:${userId}`,
        target: `session:${sessionId}`,
        action: 'session.end',
        origin,
      });
    });
    await deps.announceEnded({ sessionId });
  };
}
