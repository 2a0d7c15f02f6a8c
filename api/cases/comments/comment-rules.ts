import type { CaseChangedBy } from '../changed-by.ts';
import type { CommentRow } from '../tables/comments.ts';

/** Whether this account wrote the comment. The operator's comments belong to the operator. */
export function isOwn(
  { authorId, actor }: Pick<CommentRow, 'authorId' | 'actor'>,
  by: Pick<CaseChangedBy, 'userId' | 'actor'>,
): boolean {
  return authorId === null ? actor === by.actor : authorId === by.userId;
}

/** Authors edit their own comments, and administrators those alone too. */
export function mayEdit(comment: CommentRow, by: CaseChangedBy): boolean {
  return comment.deletedAt === null && isOwn(comment, by);
}

/** Authors delete their own comments, administrators every comment. */
export function mayDelete(comment: CommentRow, by: CaseChangedBy): boolean {
  return comment.deletedAt === null && (by.administrator || isOwn(comment, by));
}
