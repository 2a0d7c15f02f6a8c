import type { Audit, AuditAction, AuditEntry } from '#api/audit/port.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { CaseChangedBy } from '../changed-by.ts';
import { newId } from '../new-id.ts';
import type { Notices } from '../notify/notices.ts';
import { type CommentRow, deleteComment, editComment, insertComment, lockComment } from '../tables/comments.ts';
import { mayDelete, mayEdit } from './comment-rules.ts';
import { mentionsOf } from './mentions.ts';

/** Comments on detections and cases, each change in one transaction with its audit entry and the mails to mentioned accounts. */
export interface Comments {
  /** Adds a comment. `subject`: id of an existing detection or case. */
  add(subject: string, text: string, by: CaseChangedBy): Promise<CommentRow>;
  /** Changes the text. Mails are sent only to accounts that the previous text did not mention. */
  edit(subject: string, id: string, text: string, by: CaseChangedBy): Promise<CommentRow | CommentRefusal>;
  remove(subject: string, id: string, by: CaseChangedBy): Promise<undefined | CommentRefusal>;
}

export type CommentRefusal = 'not_found' | 'not_own';

export interface CommentsDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly notices: Notices;
}

export function createComments({ database, audit, notices }: CommentsDeps): Comments {
  const record = (
    transaction: Db,
    { subject, id }: Pick<CommentRow, 'subject' | 'id'>,
    action: AuditAction,
    text: { readonly before?: string | null; readonly after?: string | null },
    { actor, origin }: CaseChangedBy,
  ) => {
    const diff: AuditEntry['diff'] = { comment: { after: id }, text };
    return audit.record(transaction, { actor, target: targetOf(subject), action, diff, origin });
  };

  return {
    add: (subject, text, by) =>
      inTransaction(database, async (transaction) => {
        const { actor, userId: authorId, username } = by;
        const row = await insertComment(transaction, { id: newId('cmt'), subject, actor, authorId, username, text });
        await notices.mentioned(transaction, { subject, names: mentionsOf(text), text }, by);
        await record(transaction, row, 'comment.create', { after: text }, by);
        return row;
      }),

    edit: (subject, id, text, by) =>
      inTransaction(database, async (transaction) => {
        const row = await lockComment(transaction, subject, id);
        if (row === undefined || row.text === null) return 'not_found';
        if (!mayEdit(row, by)) return 'not_own';
        if (row.text === text) return row;
        const before = new Set(mentionsOf(row.text).map((name) => name.toLowerCase()));
        const names = mentionsOf(text).filter((name) => !before.has(name.toLowerCase()));
        const edited = await editComment(transaction, id, text);
        await notices.mentioned(transaction, { subject, names, text }, by);
        await record(transaction, row, 'comment.update', { before: row.text, after: text }, by);
        return edited;
      }),

    remove: (subject, id, by) =>
      inTransaction(database, async (transaction) => {
        const row = await lockComment(transaction, subject, id);
        if (row === undefined || row.text === null) return 'not_found';
        if (!mayDelete(row, by)) return 'not_own';
        await deleteComment(transaction, id);
        await record(transaction, row, 'comment.delete', { before: row.text }, by);
        return undefined;
      }),
  };
}

/** Returns the target of audit entries about a detection or case. */
export function targetOf(subject: string): string {
  return `${subject.startsWith('case_') ? 'case' : 'detection'}:${subject}`;
}
