import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ConfirmPassword } from '../sign-in/confirm-password.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { deleteEmailChangeOf } from '../tables/email-changes.ts';
import { replacePassword } from '../tables/users.ts';
import type { Hasher } from './hasher.ts';
import { type PasswordWeakness, weaknessOf } from './password-policy.ts';

export interface ChangePasswordDeps {
  readonly database: Database;
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly sessions: Pick<Sessions, 'endOthers'>;
  readonly confirmPassword: ConfirmPassword;
  readonly limits: Pick<SignInLimits, 'signedIn'>;
  readonly audit: Audit;
  readonly announceEnded: AnnounceEnded;
}

export type ChangePasswordResult =
  | { readonly kind: 'changed'; readonly sessionsEnded: number }
  /** The current password is wrong, the account is locked or has no password, or the password was changed concurrently. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly refusal: Refusal }
  | { readonly kind: 'weak-password'; readonly weakness: PasswordWeakness };

/** Rejects with `HasherBusy`. Nothing has changed then. */
export type ChangePassword = (
  caller: SessionCaller,
  passwords: { readonly current: string; readonly next: string },
  origin: RequestOrigin,
) => Promise<ChangePasswordResult>;

/**
 * Sets a new password for the account of a session. It requires the current password, under the limits of sign-in, so
 * that a stolen session does not give permanent access. All other sessions of the user end, and a pending change of the
 * e-mail address is cancelled.
 */
export function createChangePassword(deps: ChangePasswordDeps): ChangePassword {
  const { database, hasher, sessions, confirmPassword, limits, audit, announceEnded } = deps;
  return async (caller, { current, next }, origin) => {
    const { userId, sessionId } = caller;
    const weakness = weaknessOf(next, caller);
    if (weakness !== undefined) return { kind: 'weak-password', weakness };
    const confirmed = await confirmPassword(caller.email, current, origin);
    if (confirmed.kind !== 'confirmed') return confirmed;
    const passwordHash = await hasher.hash(next);
    const ended = await inTransaction(database, async (transaction) => {
      if (!(await replacePassword(transaction, confirmed.account, passwordHash))) return undefined;
      await deleteEmailChangeOf(transaction, userId);
      const ended = await sessions.endOthers({ userId, sessionId }, transaction);
      await audit.record(transaction, {
        actor: `user:${userId}`,
        target: `user:${userId}`,
        action: 'password.change',
        diff: { sessionsEnded: { after: ended.length } },
        origin,
      });
      return ended;
    });
    if (ended === undefined) return { kind: 'refused' };
    await limits.signedIn({ ip: origin.ip, email: caller.email });
    for (const id of ended) await announceEnded({ sessionId: id });
    return { kind: 'changed', sessionsEnded: ended.length };
  };
}
