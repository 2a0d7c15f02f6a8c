import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Db } from '#api/postgres/database.ts';
import { deleteEmailChangeOf } from '../tables/email-changes.ts';
import { deleteResetTokensOf } from '../tables/reset-tokens.ts';
import { setEmail } from '../tables/users.ts';

/**
 * Sets the address of an account. Resolves to the previous address, or undefined if the account can no longer be used.
 * Reset links sent to the old address become invalid. Rejects with a violation of `users_email_key` if the address is
 * taken.
 */
export async function replaceEmail(
  { audit }: { readonly audit: Audit },
  transaction: Db,
  { userId, ...next }: { readonly userId: string; readonly email: string; readonly verified: boolean },
  origin: RequestOrigin,
): Promise<string | undefined> {
  const before = await setEmail(transaction, userId, next);
  if (before === undefined) return undefined;
  await deleteResetTokensOf(transaction, userId);
  await deleteEmailChangeOf(transaction, userId);
  await audit.record(transaction, {
    actor: `user:${userId}`,
    target: `user:${userId}`,
    action: 'email.change',
    diff: {
      email: { before: before.email, after: next.email },
      emailVerified: { before: before.emailVerified, after: next.verified },
    },
    origin,
  });
  return before.email;
}
