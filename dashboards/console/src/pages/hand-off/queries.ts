import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Answer, addressOf, call, send } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import type { Subject } from './subject.ts';

export type Comment = Answer<'get', '/api/cases/{id}/comments'>['data'][number];
export type LinkedExecution = Answer<'get', '/api/cases/{id}/executions'>['data'][number];
export type Person = Answer<'get', '/api/people'>['data'][number];

export const commentsList = ({ kind, id }: Subject) =>
  cursorList<Comment>([kind, id, 'comments'], (cursor, signal) => {
    const options = { path: { id }, query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) }, signal };
    return kind === 'cases'
      ? call('get', '/api/cases/{id}/comments', options)
      : call('get', '/api/detections/{id}/comments', options);
  });

export const executionsQuery = ({ kind, id }: Subject) =>
  queryOptions({
    queryKey: [kind, id, 'executions'],
    queryFn: async ({ signal }) => {
      const options = { path: { id }, signal };
      const { data } = await (kind === 'cases'
        ? call('get', '/api/cases/{id}/executions', options)
        : call('get', '/api/detections/{id}/executions', options));
      return data;
    },
  });

/** Fetches analysts whose name or e-mail address contains the text. */
export function usePeople(q: string, enabled = true) {
  return useQuery({
    queryKey: ['people', q],
    queryFn: async ({ signal }) => (await call('get', '/api/people', { query: { q, limit: 10 }, signal })).data,
    enabled,
    placeholderData: (before) => before,
  });
}

/** Adds an execution to the history of a detection or case. */
export function linkExecution({ kind, id }: Subject, executionId: string): Promise<unknown> {
  const options = { path: { id }, body: { executionId } };
  return kind === 'cases'
    ? call('post', '/api/cases/{id}/executions', options)
    : call('post', '/api/detections/{id}/executions', options);
}

export function addComment({ kind, id }: Subject, text: string): Promise<Comment> {
  const options = { path: { id }, body: { text } };
  return kind === 'cases'
    ? call('post', '/api/cases/{id}/comments', options)
    : call('post', '/api/detections/{id}/comments', options);
}

export function editComment({ kind, id }: Subject, commentId: string, text: string): Promise<Comment> {
  const options = { path: { id, commentId }, body: { text } };
  return kind === 'cases'
    ? call('patch', '/api/cases/{id}/comments/{commentId}', options)
    : call('patch', '/api/detections/{id}/comments/{commentId}', options);
}

export async function deleteComment({ kind, id }: Subject, commentId: string): Promise<void> {
  const options = { path: { id, commentId } };
  await (kind === 'cases'
    ? call('delete', '/api/cases/{id}/comments/{commentId}', options)
    : call('delete', '/api/detections/{id}/comments/{commentId}', options));
}

/** Fetches a detection or the report of a case as Markdown. */
export async function readMarkdown({ kind, id }: Subject): Promise<string> {
  const path = kind === 'cases' ? '/api/cases/{id}/report' : '/api/detections/{id}/markdown';
  return (await send(addressOf(path, { path: { id } }))).text();
}
