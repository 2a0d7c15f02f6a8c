import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { deleteEmailChangeOf } from '../tables/email-changes.ts';
import { claimResetToken, findResetToken } from '../tables/reset-tokens.ts';
import { setPassword } from '../tables/users.ts';
import type { Hasher } from './hasher.ts';
import { type PasswordWeakness, weaknessOf } from './password-policy.ts';
import { resetTokenHash } from './reset-token.ts';

export interface ResetPasswordDeps {
  readonly database: Database;
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly sessions: Pick<Sessions, 'endAll'>;
  readonly audit: Audit;
  readonly announceEnded: AnnounceEnded;
}

export type ResetPasswordResult =
  | { readonly kind: 'reset' }
  /** The token is unknown, used or expired, or its account is disabled or past its end date. */
  | { readonly kind: 'refused' }
  /** The token stays valid. */
  | { readonly kind: 'weak-password'; readonly weakness: PasswordWeakness };

/** Rejects with `HasherBusy`. The token stays valid then. */
export type ResetPassword = (token: string, password: string, origin: RequestOrigin) => Promise<ResetPasswordResult>;

/**
 * Sets a new password with a mailed token. It also ends the lockout, all tokens of the user, a pending change of the
 * e-mail address and all sessions, including those of an intruder.
 */
export function createResetPassword(deps: ResetPasswordDeps): ResetPassword {
  const { database, hasher, sessions, audit, announceEnded } = deps;
  return async (token, password, origin) => {
    const hash = resetTokenHash(token);
    const owner = await findResetToken(database, hash);
    if (owner === undefined) return { kind: 'refused' };
    const weakness = weaknessOf(password, owner);
    if (weakness !== undefined) return { kind: 'weak-password', weakness };
    const passwordHash = await hasher.hash(password);
    const userId = await inTransaction(database, async (transaction) => {
      const userId = await claimResetToken(transaction, hash);
      if (userId === undefined || !(await setPassword(transaction, userId, passwordHash))) return undefined;
      await deleteEmailChangeOf(transaction, userId);
      const sessionsEnded = await sessions.endAll(userId, transaction);
      await audit.record(transaction, {
        actor: `user:${userId}`,
        target: `user:${userId}`,
        action: 'password.reset',
        diff: { sessionsEnded: { after: sessionsEnded } },
        origin,
      });
      return userId;
    });
    if (userId === undefined) return { kind: 'refused' };
    await announceEnded({ userId });
    return { kind: 'reset' };
  };
}

/** Checks whether a mailed token would be accepted now, without using it. */
export type IsResetToken = (token: string) => Promise<boolean>;

export function createIsResetToken({ database }: Pick<ResetPasswordDeps, 'database'>): IsResetToken {
  return async (token) => (await findResetToken(database, resetTokenHash(token))) !== undefined;
}
