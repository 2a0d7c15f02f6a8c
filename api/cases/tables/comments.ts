import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { type CreatedKey, createdAfter } from '#api/postgres/keyset.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    comments: CommentsTable;
  }
}

/** Comments on detections and cases. A deleted comment stays without its text. */
export interface CommentsTable {
  /** `cmt_` and 32 hexadecimal digits. */
  id: string;
  /** Id of the detection or case. */
  subject: string;
  createdAt: Generated<Date>;
  /** See `actorOf`. */
  actor: string;
  /** Id of the author's account. Null: the operator. */
  authorId: string | null;
  username: string | null;
  text: string | null;
  editedAt: Date | null;
  deletedAt: Date | null;
}
export type CommentRow = Selectable<CommentsTable>;

/** Lists comments, oldest first, after the cursor position if given. */
export function listComments(
  db: Db,
  subject: string,
  { limit, after }: { readonly limit: number; readonly after?: CreatedKey | undefined },
): Promise<CommentRow[]> {
  return db
    .selectFrom('comments')
    .selectAll()
    .where('subject', '=', subject)
    .where((conditions) => (after === undefined ? conditions.lit(true) : createdAfter(after)))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns the newest comments, newest first. */
export function newestComments(db: Db, subject: string, limit: number): Promise<CommentRow[]> {
  return db
    .selectFrom('comments')
    .selectAll()
    .where('subject', '=', subject)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns a comment, locked until the end of the transaction. */
export function lockComment(transaction: Db, subject: string, id: string): Promise<CommentRow | undefined> {
  return transaction
    .selectFrom('comments')
    .selectAll()
    .where('subject', '=', subject)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export function insertComment(
  transaction: Db,
  row: Pick<CommentRow, 'id' | 'subject' | 'actor' | 'authorId' | 'username' | 'text'>,
): Promise<CommentRow> {
  return transaction.insertInto('comments').values(row).returningAll().executeTakeFirstOrThrow();
}

export function editComment(transaction: Db, id: string, text: string): Promise<CommentRow> {
  return transaction
    .updateTable('comments')
    .set({ text, editedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteComment(transaction: Db, id: string): Promise<void> {
  await transaction
    .updateTable('comments')
    .set({ text: null, deletedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}
