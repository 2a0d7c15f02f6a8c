import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import type { Db } from '#api/postgres/database.ts';
import { type FactorChange, MAIL_QUEUE, type MailRequest } from '../mail/mail-request.ts';

/** Queues a mail to the owner of an account about a change of its second factors, in the transaction of the change. */
export type NotifyFactorChange = (
  db: Db,
  user: { readonly id: string; readonly email: string },
  change: FactorChange,
  origin: RequestOrigin,
) => Promise<void>;

/** `mailServer`: true if a mail server is configured; without one, no notice is sent. */
export function createFactorNotices(
  { jobs }: { readonly jobs: Pick<JobQueue, 'add'> },
  { mailServer }: { readonly mailServer: boolean },
): NotifyFactorChange {
  return async (db, { id, email }, change, { ip, userAgent, requestId }) => {
    if (!mailServer) return;
    const payload: MailRequest = {
      kind: 'second-factor',
      email,
      userId: id,
      change,
      origin: { ip, userAgent, requestId },
    };
    await jobs.add(db, { queue: MAIL_QUEUE, payload, requestId });
  };
}
