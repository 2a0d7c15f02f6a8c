import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { ReportSecurityEvent } from '#api/http/security-events.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { normalEmail } from '../email-address.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { MAIL_QUEUE, type MailRequest } from './mail-request.ts';

export interface RequestMailDeps {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly limits: Pick<SignInLimits, 'sendCode' | 'requestReset'>;
  readonly report: ReportSecurityEvent;
}

/** Requests a mail. Undefined: the request was accepted, and the worker sends the mail if one is due. */
export type RequestMail = (email: string, origin: RequestOrigin) => Promise<Refusal | undefined>;

export interface RequestMailConfig {
  /** Maximum random delay of a response, in ms. It is added to work that is equal for every address. Default 50. */
  readonly jitterMs?: number;
}

/**
 * Accepts requests for a code or a reset link. The same row is written for every address, and the worker decides which
 * mail is due. The address is not looked up before the response, so that the response time does not reveal whether it
 * is registered.
 */
export function createRequestMail(
  deps: RequestMailDeps,
  { jitterMs = 50 }: RequestMailConfig = {},
): { readonly code: RequestMail; readonly reset: RequestMail } {
  const { database, jobs, limits, report } = deps;

  async function ask(kind: MailRequest['kind'], email: string, origin: RequestOrigin): Promise<Refusal | undefined> {
    const guesser = { ip: origin.ip, email };
    const refusal = await (kind === 'code' ? limits.sendCode(guesser) : limits.requestReset(guesser));
    if (refusal !== undefined) {
      if (refusal.code === 'rate_limited') report({ kind: 'account-enumeration', origin, subject: kind });
      return refusal;
    }
    const { ip, userAgent, requestId } = origin;
    const payload: MailRequest = { kind, email, origin: { ip, userAgent, requestId } };
    await Promise.all([
      inTransaction(database, (transaction) => jobs.add(transaction, { queue: MAIL_QUEUE, payload, requestId })),
      jitterMs > 0 && delay(randomInt(jitterMs + 1)),
    ]);
    return undefined;
  }

  return {
    code: (email, origin) => ask('code', normalEmail(email), origin),
    reset: (email, origin) => ask('reset', normalEmail(email), origin),
  };
}
