import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { MAIL_QUEUE, type MailRequest } from '../mail/mail-request.ts';
import { resetTokenHash } from '../passwords/reset-token.ts';
import { claimEmailChange } from '../tables/email-changes.ts';
import { replaceEmail } from './replace-email.ts';

export interface ConfirmEmailChangeDeps {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly audit: Audit;
}

/**
 * Resolves to the new address. Undefined if the token is unknown, used or expired, the account cannot be used, or
 * another account has the address.
 */
export type ConfirmEmailChange = (token: string, origin: RequestOrigin) => Promise<string | undefined>;

/** Changes the address of an account with the token of a mailed link, and notifies the old address. */
export function createConfirmEmailChange({ database, jobs, audit }: ConfirmEmailChangeDeps): ConfirmEmailChange {
  return async (token, origin) => {
    try {
      return await inTransaction(database, async (transaction) => {
        const change = await claimEmailChange(transaction, resetTokenHash(token));
        if (change === undefined) return undefined;
        const before = await replaceEmail({ audit }, transaction, { ...change, verified: true }, origin);
        if (before === undefined) return undefined;
        const { ip, userAgent, requestId } = origin;
        const payload: MailRequest = {
          kind: 'email-changed',
          email: before,
          userId: change.userId,
          origin: { ip, userAgent, requestId },
        };
        await jobs.add(transaction, { queue: MAIL_QUEUE, payload, requestId });
        return change.email;
      });
    } catch (error) {
      if (violatedUnique(error) === 'users_email_key') return undefined;
      throw error;
    }
  };
}
