import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { NotifyFactorChange } from '../second-factor/notices.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import { deleteSecondFactors, secondFactorsOf } from '../tables/second-factors.ts';
import { deleteSessionsOf } from '../tables/sessions.ts';
import { lockUser } from '../tables/user-administration.ts';

export interface ResetSecondFactorDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly notify: NotifyFactorChange;
  readonly announceEnded: AnnounceEnded;
}

/**
 * Removes all second factors and recovery codes of an account whose owner has lost them, and ends its sessions. If the
 * role requires a second factor, the next sign-in enrols a new one. `by.userId` is undefined for the operator. Refusals
 * are `ApiError`s.
 */
export type ResetSecondFactor = (
  userId: string,
  by: { readonly actor: string; readonly userId: string | undefined; readonly origin: RequestOrigin },
) => Promise<void>;

export function createResetSecondFactor(deps: ResetSecondFactorDeps): ResetSecondFactor {
  const { database, audit, notify, announceEnded } = deps;
  return async (userId, { actor, userId: own, origin }) => {
    // A stolen session of an administrator must not bypass the confirmation that changes of own factors require.
    if (own === userId) throw apiError('forbidden', 'change your own second factors in your profile');
    await inTransaction(database, async (transaction) => {
      const user = await lockUser(transaction, userId);
      if (user === undefined) throw apiError('not_found', 'there is no such user');
      const before = await secondFactorsOf(transaction, userId);
      await deleteSecondFactors(transaction, userId);
      const sessionsEnded = await deleteSessionsOf(transaction, userId);
      await audit.record(transaction, {
        actor,
        target: `user:${userId}`,
        action: 'second-factor.reset',
        diff: {
          totp: { before: before.totp, after: false },
          passkeys: { before: before.passkeys, after: 0 },
          recoveryCodesLeft: { before: before.recoveryCodesLeft, after: 0 },
          sessionsEnded: { after: sessionsEnded },
        },
        origin,
      });
      await notify(transaction, user, 'reset', origin);
    });
    await announceEnded({ userId });
  };
}
