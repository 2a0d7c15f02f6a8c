import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { ProviderSignOut } from '../oauth/provider-sign-out.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import { takeSession } from '../tables/sessions.ts';

/**
 * Resolves to the URL that also ends the session at the identity provider, to which the browser must be redirected.
 * Undefined if that session continues.
 */
export type SignOut = (caller: SessionCaller, origin: RequestOrigin) => Promise<string | undefined>;

/** Ends the session of the caller. Its cookie is invalid afterwards. */
export function createSignOut(deps: {
  readonly database: Database;
  readonly audit: Audit;
  readonly announceEnded: AnnounceEnded;
  readonly providerSignOut: ProviderSignOut;
}): SignOut {
  return async ({ userId, sessionId }, origin) => {
    const ended = await inTransaction(deps.database, async (transaction) => {
      const session = await takeSession(transaction, sessionId);
      if (session === undefined) return undefined;
      await deps.audit.record(transaction, {
        actor: `user:${userId}`,
        target: `session:${sessionId}`,
        action: 'session.end',
        origin,
      });
      return session;
    });
    await deps.announceEnded({ sessionId });
    const providerSession = ended?.providerSession ?? undefined;
    return providerSession && deps.providerSignOut(providerSession);
  };
}
