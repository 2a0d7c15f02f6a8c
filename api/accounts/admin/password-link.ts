import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { newResetToken, resetLink, resetTokenHash } from '../passwords/reset-token.ts';
import { insertResetToken } from '../tables/reset-tokens.ts';
import { findUser } from '../tables/user-administration.ts';
import { mayUseAccount } from '../tables/users.ts';

export interface PasswordLink {
  /** Link by which the user sets a password once. */
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Creates a link by which a user sets a password, for an administrator to pass on. The link works like a mailed one.
 * `disabled`: the account is disabled or past its end date, so the link would not work.
 */
export type CreatePasswordLink = (
  userId: string,
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<PasswordLink | 'no such user' | 'disabled'>;

export function createPasswordLinks(deps: {
  readonly database: Database;
  readonly audit: Audit;
  /** Returns the public URL of the server, without a trailing slash. */
  readonly publicUrl: () => string;
}): CreatePasswordLink {
  const { database, audit, publicUrl } = deps;
  return (userId, { actor, origin }) =>
    inTransaction(database, async (transaction) => {
      const user = await findUser(transaction, userId);
      if (user === undefined) return 'no such user';
      if (!mayUseAccount(user)) return 'disabled';
      const token = newResetToken();
      const expiresAt = await insertResetToken(transaction, resetTokenHash(token), userId);
      const diff = { expiresAt: { after: expiresAt.toISOString() } };
      await audit.record(transaction, { actor, target: `user:${userId}`, action: 'password.link', diff, origin });
      return { url: resetLink(publicUrl(), token), expiresAt };
    });
}
