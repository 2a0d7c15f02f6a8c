import type { Audit } from '#api/audit/port.ts';
import { hasAuditRow } from '#api/audit/tables/audit-log.ts';
import { type JobHandler, PermanentJobFailure } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { WindowLimit } from '#api/shared-state/port.ts';
import type { OneTimeCodes } from '../passwords/one-time-code.ts';
import { newResetToken, resetLink, resetTokenHash } from '../passwords/reset-token.ts';
import { mayRegister, type RegistrationSetting } from '../registration-setting.ts';
import { clearEmailChangeToken, EMAIL_CHANGE_MINUTES, setEmailChangeToken } from '../tables/email-changes.ts';
import { CODE_TRIES, putOneTimeCode } from '../tables/one-time-codes.ts';
import { deleteResetToken, insertResetToken, RESET_MINUTES } from '../tables/reset-tokens.ts';
import { findUser, findUserByEmail, mayUseAccount } from '../tables/users.ts';
import {
  codeMail,
  emailChangedMail,
  emailChangeMail,
  factorChangeMail,
  keyExpiryMail,
  keyLeakMail,
  passwordLinkMail,
  resetMail,
} from './account-mails.ts';
import { MailRefused } from './mail-failures.ts';
import { type MailRequest, mailRequestSchema } from './mail-request.ts';
import type { Mail, SendMail } from './port.ts';

export interface MailJobsDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly sendMail: SendMail;
  readonly codes: OneTimeCodes;
}

export interface MailJobsConfig {
  /** Public URL of the server. Links begin with it. */
  readonly baseUrl: string;
  readonly registration: RegistrationSetting;
  /** Limit on attempts to enter a one-time code, within its lifetime. Default: 5 in 5 minutes. */
  readonly codeTries?: WindowLimit;
}

/** Outcome of a job, stored as its result. */
export type MailOutcome = { readonly sent: boolean };

/**
 * Creates the handler of the queue `mail`. It decides which mail is due, creates the code or token, and sends it. Every
 * attempt creates a new one, so that no table contains a usable secret, and its lifetime begins when it is sent.
 * Long: it has one function per kind of mail.
 */
export function createMailJobs(deps: MailJobsDeps, config: MailJobsConfig): JobHandler {
  const { database, audit, codes, sendMail } = deps;
  const { windowMs: codeLifeMs } = config.codeTries ?? CODE_TRIES;

  return async ({ payload, attempt }): Promise<MailOutcome> => {
    const request = mailRequestSchema.parse(payload);
    switch (request.kind) {
      case 'code':
        return { sent: await sendCode(request) };
      case 'reset':
        return { sent: await sendReset(request, attempt) };
      case 'password-link':
        return { sent: await sendPasswordLink(request) };
      case 'email-change':
        return { sent: await sendEmailChange(request) };
      case 'email-changed':
        return { sent: await sendEmailChanged(request) };
      case 'second-factor':
        return { sent: await sendFactorChange(request) };
      case 'key-expiry':
      case 'key-leak':
        return { sent: await sendKeyNotice(request) };
    }
  };

  /**
   * An address that may not register also gets a code, which is never sent, so that checking a code takes equally long
   * for every address.
   */
  async function sendCode({ email }: MailRequest): Promise<boolean> {
    const code = codes.newCode();
    const known = await findUserByEmail(database, email);
    await putOneTimeCode(database, email, codes.digest(email, code), codeLifeMs);
    if (known !== undefined || !mayRegister(config.registration, email)) return false;
    await send(sendMail, codeMail(email, code, Math.max(1, Math.floor(codeLifeMs / 60_000))));
    return true;
  }

  /** One request has one audit entry, however often the mail is attempted. */
  async function sendReset({ email, origin }: MailRequest, attempt: number): Promise<boolean> {
    const token = newResetToken();
    const hash = resetTokenHash(token);
    const user = await inTransaction(database, async (transaction) => {
      const found = await findUserByEmail(transaction, email);
      if (found === undefined || !mayUseAccount(found)) return undefined;
      await insertResetToken(transaction, hash, found.id);
      const entry = {
        actor: 'anonymous',
        target: `user:${found.id}`,
        action: 'password.reset.request',
        origin,
      } as const;
      if (attempt === 1 || !(await hasAuditRow(transaction, { ...entry, requestId: origin.requestId })))
        await audit.record(transaction, entry);
      return found;
    });
    if (user === undefined) return false;
    const mail = resetMail(email, user.username, resetLink(config.baseUrl, token), RESET_MINUTES);
    await sendOrForget(sendMail, mail, () => deleteResetToken(database, hash));
    return true;
  }

  /** Sends nothing if the account was disabled or its address changed after the request. The request has the audit entry. */
  async function sendPasswordLink({ email, userId = '' }: MailRequest): Promise<boolean> {
    const token = newResetToken();
    const hash = resetTokenHash(token);
    const user = await inTransaction(database, async (transaction) => {
      const found = await findUser(transaction, userId);
      if (found === undefined || found.email !== email || !mayUseAccount(found)) return undefined;
      await insertResetToken(transaction, hash, userId);
      return found;
    });
    if (user === undefined) return false;
    const mail = passwordLinkMail(email, user.username, resetLink(config.baseUrl, token), RESET_MINUTES);
    await sendOrForget(sendMail, mail, () => deleteResetToken(database, hash));
    return true;
  }

  /** Sends no link if another account has the address, or if the change was replaced or cancelled. */
  async function sendEmailChange({ email, userId = '' }: MailRequest): Promise<boolean> {
    const token = newResetToken();
    const tokenHash = resetTokenHash(token);
    const user = await inTransaction(database, async (transaction) => {
      const found = await findUser(transaction, userId);
      if (found === undefined || !mayUseAccount(found)) return undefined;
      if ((await findUserByEmail(transaction, email)) !== undefined) return undefined;
      return (await setEmailChangeToken(transaction, { userId, tokenHash, email })) ? found : undefined;
    });
    if (user === undefined) return false;
    const link = `${config.baseUrl}/auth/confirm-email?token=${token}`;
    const mail = emailChangeMail(email, user.username, link, EMAIL_CHANGE_MINUTES);
    await sendOrForget(sendMail, mail, () => clearEmailChangeToken(database, tokenHash));
    return true;
  }

  async function sendEmailChanged({ email, userId = '' }: MailRequest): Promise<boolean> {
    const user = await findUser(database, userId);
    if (user === undefined) return false;
    await send(sendMail, emailChangedMail(email, user.username));
    return true;
  }

  async function sendKeyNotice({ kind, email, userId = '', key }: MailRequest): Promise<boolean> {
    const user = await findUser(database, userId);
    if (user === undefined || key === undefined) return false;
    const page = `${config.baseUrl}/keys`;
    await send(sendMail, kind === 'key-leak' ? keyLeakMail(email, key, page) : keyExpiryMail(email, key, page));
    return true;
  }

  async function sendFactorChange({ email, userId = '', change, origin }: MailRequest): Promise<boolean> {
    const user = await findUser(database, userId);
    if (user === undefined || change === undefined) return false;
    await send(sendMail, factorChangeMail(email, user.username, change, origin.ip));
    return true;
  }
}

/** Sends a mail. A permanent rejection by the server is not retried. */
async function send(sendMail: SendMail, mail: Mail): Promise<void> {
  try {
    await sendMail(mail);
  } catch (error) {
    throw error instanceof MailRefused ? new PermanentJobFailure(error.message) : error;
  }
}

/** Sends a mail with a link. `forget` deletes the token of the link if the mail is not sent. */
async function sendOrForget(sendMail: SendMail, mail: Mail, forget: () => Promise<unknown>): Promise<void> {
  try {
    await send(sendMail, mail);
  } catch (error) {
    await forget();
    throw error;
  }
}
