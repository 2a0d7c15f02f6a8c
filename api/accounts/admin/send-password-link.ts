import type { Audit } from '#api/audit/port.ts';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { MAIL_QUEUE, type MailRequest } from '../mail/mail-request.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { findUser } from '../tables/user-administration.ts';
import { mayUseAccount } from '../tables/users.ts';

export interface SendPasswordLinkDeps {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly audit: Audit;
  readonly limits: Pick<SignInLimits, 'requestReset'>;
}

export type SendPasswordLinkResult =
  /** The mail to this address is queued. */
  | { readonly kind: 'queued'; readonly email: string }
  | { readonly kind: 'no such user' }
  /** The account is disabled or past its end date, so the link would not work. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'no mail server' }
  | { readonly kind: 'limited'; readonly refusal: Refusal };

/**
 * Mails a password link to a user on behalf of an administrator, who does not see the link. It counts toward the limits
 * of mailed resets.
 */
export type SendPasswordLink = (
  userId: string,
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<SendPasswordLinkResult>;

/** `mailServer`: true if a mail server is configured. */
export function createSendPasswordLink(
  { database, jobs, audit, limits }: SendPasswordLinkDeps,
  { mailServer }: { readonly mailServer: boolean },
): SendPasswordLink {
  return async (userId, { actor, origin }) => {
    const user = await findUser(database, userId);
    if (user === undefined) return { kind: 'no such user' };
    if (!mayUseAccount(user)) return { kind: 'disabled' };
    if (!mailServer) return { kind: 'no mail server' };
    const { email } = user;
    const refusal = await limits.requestReset({ ip: origin.ip, email });
    if (refusal !== undefined) return { kind: 'limited', refusal };
    await inTransaction(database, async (transaction) => {
      const { ip, userAgent, requestId } = origin;
      const payload: MailRequest = { kind: 'password-link', email, userId, origin: { ip, userAgent, requestId } };
      await jobs.add(transaction, { queue: MAIL_QUEUE, payload, requestId });
      await audit.record(transaction, { actor, target: `user:${userId}`, action: 'password.link.send', origin });
    });
    return { kind: 'queued', email };
  };
}
