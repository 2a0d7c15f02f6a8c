import type { JobQueue } from '#api/jobs/port.ts';
import type { Db } from '#api/postgres/database.ts';
import type { CaseChangedBy } from '../changed-by.ts';
import { analystIds } from '../tables/people.ts';
import { NOTICE_QUEUE, type NoticeRequest } from './notice-request.ts';

/** Queues mails about work in the transaction of the change, so that a mail is queued exactly if the change is committed. */
export interface Notices {
  /** Queues a mail to the assignee. `subjects`: ids of detections or cases. */
  assigned(
    transaction: Db,
    wanted: { readonly subjects: readonly string[]; readonly assignee: string; readonly task?: string },
    by: Pick<CaseChangedBy, 'userId' | 'username' | 'origin'>,
  ): Promise<void>;
  /** Queues a mail to each of these names that belongs to an analyst. */
  mentioned(
    transaction: Db,
    wanted: { readonly subject: string; readonly names: readonly string[]; readonly text: string },
    by: Pick<CaseChangedBy, 'userId' | 'username' | 'origin'>,
  ): Promise<void>;
}

/** Maximum number of characters of a comment that a mail quotes. */
const MAX_EXCERPT = 500;

export function createNotices({ jobs }: { readonly jobs: JobQueue }): Notices {
  async function add(
    transaction: Db,
    names: readonly string[],
    { userId, username, origin }: Pick<CaseChangedBy, 'userId' | 'username' | 'origin'>,
    request: Omit<NoticeRequest, 'userId' | 'by'>,
  ): Promise<void> {
    for (const id of await analystIds(transaction, names)) {
      // Users get no mail about their own changes.
      if (id === userId) continue;
      const payload: NoticeRequest = { ...request, userId: id, by: username ?? 'the operator' };
      await jobs.add(transaction, { queue: NOTICE_QUEUE, payload, requestId: origin.requestId });
    }
  }

  return {
    async assigned(transaction, { subjects, assignee, task }, by) {
      const [subject] = subjects;
      if (subject === undefined) return;
      await add(transaction, [assignee], by, {
        kind: 'assignments',
        subject,
        count: subjects.length,
        ...(task === undefined ? {} : { text: task.slice(0, MAX_EXCERPT) }),
      });
    },
    async mentioned(transaction, { subject, names, text }, by) {
      await add(transaction, names, by, { kind: 'mentions', subject, count: 1, text: excerpt(text) });
    },
  };
}

function excerpt(text: string): string {
  return text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT - 1).toWellFormed()}…`;
}
