import type { Happening } from '#schemas/api/cases.ts';
import type { CaseEvent } from './tables/case-events.ts';
import type { CommentRow } from './tables/comments.ts';

/** Maximum number of entries in one response. */
export const MAX_HAPPENINGS = 2_000;

/**
 * Returns the timeline of a case, oldest first: history entries and comments by time. At equal times history entries
 * come first, in their order. A deleted comment is an entry without text. Beyond `most` entries, the oldest are
 * omitted.
 */
export function timelineOf(
  events: readonly CaseEvent[],
  comments: readonly CommentRow[],
  most = MAX_HAPPENINGS,
): { readonly happenings: readonly Happening[]; readonly complete: boolean } {
  const all = [
    ...events.map((event) => ({ at: event.at, order: event.seq, happening: happeningOf(event) })),
    ...comments.map((comment, index) => ({
      at: comment.createdAt,
      order: Number.MAX_SAFE_INTEGER - comments.length + index,
      happening: commented(comment),
    })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime() || a.order - b.order);
  const kept = all.slice(Math.max(0, all.length - most));
  return { happenings: kept.map(({ happening }) => happening), complete: kept.length === all.length };
}

function happeningOf({ at, actor, username, kind, data }: CaseEvent): Happening {
  return { at: at.toISOString(), actor, username, kind, data };
}

function commented({ id, createdAt, actor, username, text, editedAt }: CommentRow): Happening {
  const comment = { id, text, edited: editedAt !== null };
  return { at: createdAt.toISOString(), actor, username, kind: 'comment', data: { comment } };
}
