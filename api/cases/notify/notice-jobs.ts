import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection } from '#analytics/clickhouse/read-models/detections.ts';
import { terminalText } from '#analytics/formats/terminal-text.ts';
import { MailRefused } from '#api/accounts/mail/mail-failures.ts';
import type { SendMail } from '#api/accounts/mail/port.ts';
import { type JobHandler, PermanentJobFailure } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { findCase } from '../tables/cases.ts';
import { recipient } from '../tables/people.ts';
import { type NoticeSubject, noticeMail } from './notice-mail.ts';
import { noticeRequestSchema } from './notice-request.ts';

export interface NoticeJobsDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly sendMail: SendMail;
}

/**
 * Creates the handler of the queue `notice`. It sends the mail about a mention or an assignment, unless the account has
 * disabled such mails in the meantime. If a worker dies after sending, the mail is sent again.
 */
export function createNoticeJobs(
  { clickhouse, database, sendMail }: NoticeJobsDeps,
  /** Public URL of the server, without a trailing slash. */
  { baseUrl }: { readonly baseUrl: string },
): JobHandler {
  return async ({ payload }) => {
    const request = noticeRequestSchema.parse(payload);
    const account = await recipient(database, request.userId, request.kind);
    const subject = account && (await subjectOf(request.subject));
    if (account === undefined || subject === undefined) return { sent: false };
    await sendMail(noticeMail(account, request, subject)).catch((error: unknown) => {
      throw error instanceof MailRefused ? new PermanentJobFailure(error.message) : error;
    });
    return { sent: true };
  };

  async function subjectOf(id: string): Promise<NoticeSubject | undefined> {
    if (id.startsWith('case_')) {
      const found = await findCase(database, id);
      return found && { title: `Case ${found.number}: ${terminalText(found.title)}`, link: `${baseUrl}/cases/${id}` };
    }
    const detection = await getDetection(clickhouse, id);
    if (detection === undefined) return undefined;
    const { rule, hostname } = detection;
    const where = hostname === null ? '' : ` on ${terminalText(hostname)}`;
    return { title: `${rule.name}${where}`, link: `${baseUrl}/detections/${id}` };
  }
}
