import type { CaseChangedBy } from '../changed-by.ts';
import type { CommentRow } from '../tables/comments.ts';

/** True if this account wrote the comment. Comments of the operator belong to the operator. */
export function isOwn(
  { authorId, actor }: Pick<CommentRow, 'authorId' | 'actor'>,
  by: Pick<CaseChangedBy, 'userId' | 'actor'>,
): boolean {
  return authorId === null ? actor === by.actor : authorId === by.userId;
}

/** True if the caller may edit the comment: only its author, even among administrators. */
export function mayEdit(comment: CommentRow, by: CaseChangedBy): boolean {
  return comment.deletedAt === null && isOwn(comment, by);
}

/** True if the caller may delete the comment: its author, or an administrator. */
export function mayDelete(comment: CommentRow, by: CaseChangedBy): boolean {
  return comment.deletedAt === null && (by.administrator || isOwn(comment, by));
}
