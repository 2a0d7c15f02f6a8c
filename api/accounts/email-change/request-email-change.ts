import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { normalEmail } from '../email-address.ts';
import { MAIL_QUEUE, type MailRequest } from '../mail/mail-request.ts';
import { mayRegister, type RegistrationSetting } from '../registration-setting.ts';
import type { ConfirmPassword } from '../sign-in/confirm-password.ts';
import { wipeSignInFailures } from '../sign-in/sign-in-attempts.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { putEmailChange } from '../tables/email-changes.ts';
import { replaceEmail } from './replace-email.ts';

export interface RequestEmailChangeDeps {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly audit: Audit;
  readonly confirmPassword: ConfirmPassword;
  readonly limits: Pick<SignInLimits, 'signedIn' | 'requestReset'>;
}

export interface RequestEmailChangeConfig {
  readonly registration: RegistrationSetting;
  /** True: a mailed link confirms the new address. False: there is no mail server, and the password suffices. */
  readonly confirmsByMail: boolean;
}

export type RequestEmailChangeResult =
  /** The link was sent to the new address, unless another account has it. */
  | { readonly kind: 'link-sent' }
  | { readonly kind: 'changed' }
  /** The account already has this address. */
  | { readonly kind: 'same' }
  /** Registration does not permit this domain. */
  | { readonly kind: 'domain-refused' }
  | { readonly kind: 'taken' }
  /** The password is wrong, the account is locked or has no password, or the password was changed concurrently. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly refusal: Refusal };

/** Rejects with `HasherBusy`. Nothing has changed then. */
export type RequestEmailChange = (
  caller: SessionCaller,
  change: { readonly email: string; readonly password: string },
  origin: RequestOrigin,
) => Promise<RequestEmailChangeResult>;

/**
 * Changes the e-mail address of the account of a session. It requires the password, under the limits of sign-in,
 * because the address gives access to the account by a reset link. With a mail server, the address changes when the
 * link in the new mailbox is used.
 */
export function createRequestEmailChange(
  deps: RequestEmailChangeDeps,
  { registration, confirmsByMail }: RequestEmailChangeConfig,
): RequestEmailChange {
  const { database, jobs, audit, confirmPassword, limits } = deps;

  return async (caller, { email: given, password }, origin) => {
    const email = normalEmail(given);
    if (email === caller.email) return { kind: 'same' };
    if (Array.isArray(registration) && !mayRegister(registration, email)) return { kind: 'domain-refused' };
    const confirmed = await confirmPassword(caller.email, password, origin);
    if (confirmed.kind !== 'confirmed') return confirmed;
    // The address may have moved to another account after the session was read.
    if (confirmed.account.id !== caller.userId) return { kind: 'refused' };
    const refusal = confirmsByMail ? await limits.requestReset({ ip: origin.ip, email }) : undefined;
    if (refusal !== undefined) return { kind: 'limited', refusal };
    try {
      const result = await inTransaction(database, async (transaction): Promise<RequestEmailChangeResult> => {
        if ((await wipeSignInFailures(transaction, confirmed.account)) === undefined) return { kind: 'refused' };
        if (confirmsByMail) await sendLink(caller.userId, email, origin);
        else await replaceEmail({ audit }, transaction, { userId: caller.userId, email, verified: false }, origin);
        return { kind: confirmsByMail ? 'link-sent' : 'changed' };

        async function sendLink(userId: string, to: string, { ip, userAgent, requestId }: RequestOrigin) {
          const payload: MailRequest = {
            kind: 'email-change',
            email: to,
            userId,
            origin: { ip, userAgent, requestId },
          };
          await putEmailChange(transaction, { userId, email: to });
          await jobs.add(transaction, { queue: MAIL_QUEUE, payload, requestId });
          await audit.record(transaction, {
            actor: `user:${userId}`,
            target: `user:${userId}`,
            action: 'email.change.request',
            diff: { email: { before: caller.email, after: to } },
            origin,
          });
        }
      });
      if (result.kind !== 'refused') await limits.signedIn({ ip: origin.ip, email: caller.email });
      return result;
    } catch (error) {
      if (violatedUnique(error) === 'users_email_key') return { kind: 'taken' };
      throw error;
    }
  };
}
