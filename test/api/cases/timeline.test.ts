import { expect, test } from 'vitest';
import type { CaseEvent } from '#api/cases/tables/case-events.ts';
import type { CommentRow } from '#api/cases/tables/comments.ts';
import { timelineOf } from '#api/cases/timeline.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute));
const event = (seq: number, minute: number, kind: CaseEvent['kind']): CaseEvent => ({
  caseId: 'case',
  seq,
  at: at(minute),
  actor: 'user:1',
  username: 'ann',
  kind,
  data: {},
});
const comment = (id: string, minute: number, text: string | null): CommentRow => ({
  id,
  subject: 'case',
  createdAt: at(minute),
  actor: 'user:1',
  authorId: '1',
  username: 'ann',
  text,
  editedAt: null,
  deletedAt: text === null ? at(minute) : null,
});

test('timeline entries and comments are sorted by time, entries first', () => {
  const events = [event(3, 5, 'changed'), event(2, 2, 'task_added'), event(1, 0, 'created')];
  const comments = [comment('a', 1, 'first'), comment('b', 5, null), comment('c', 5, 'last')];
  const { happenings, complete } = timelineOf(events, comments);
  expect(happenings.map(({ kind }) => kind)).toEqual([
    'created',
    'comment',
    'task_added',
    'changed',
    'comment',
    'comment',
  ]);
  expect(happenings.at(-2)?.data).toEqual({ comment: { id: 'b', text: null, edited: false } });
  expect(complete).toBe(true);
  expect(timelineOf(events, comments, 2)).toMatchObject({
    complete: false,
    happenings: [{ data: { comment: { id: 'b' } } }, { data: { comment: { id: 'c' } } }],
  });
});
