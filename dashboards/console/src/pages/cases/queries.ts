import { queryOptions } from '@tanstack/react-query';
import { type Answer, addressOf, call, callForHeaders, send } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { endsOf } from '../../parts/time/time-range.ts';
import type { CaseFilters } from './search.ts';

export type Case = Answer<'get', '/api/cases'>['data'][number];
export type WholeCase = Answer<'get', '/api/cases/{id}'>;
export type CaseTask = WholeCase['taskList'][number];
export type CaseFile = WholeCase['files'][number];
export type Happening = Answer<'get', '/api/cases/{id}/timeline'>['data'][number];
export type Template = Answer<'get', '/api/case-templates'>['data'][number];

export const casesList = ({ status = 'active', range, from, to, ...filters }: CaseFilters) =>
  cursorList<Case>(['cases', 'list', status, range, from, to, filters], (cursor, signal) => {
    const statuses = status === 'any' ? {} : { status: status === 'active' ? 'open,in_progress' : status };
    return call('get', '/api/cases', {
      query: {
        ...statuses,
        ...filters,
        ...endsOf({ range, from, to }, Date.now()),
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      },
      signal,
    });
  });

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: ['cases', id, 'detail'],
    queryFn: ({ signal }) => call('get', '/api/cases/{id}', { path: { id }, signal }),
  });

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['cases', id, 'timeline'],
    queryFn: ({ signal }) => call('get', '/api/cases/{id}/timeline', { path: { id }, signal }),
  });

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['cases', id, 'report'],
    queryFn: async ({ signal }) =>
      (await send(addressOf('/api/cases/{id}/report', { path: { id } }), { signal })).text(),
    staleTime: 0,
  });

export const figuresQuery = queryOptions({
  queryKey: ['cases', 'figures'],
  queryFn: ({ signal }) => call('get', '/api/case-metrics', { signal }),
});

export const templatesQuery = queryOptions({
  queryKey: ['case-templates'],
  queryFn: async ({ signal }) => (await call('get', '/api/case-templates', { signal })).data,
});

/** Changes the fields of a case if its ETag still matches. */
export async function changeCase(
  { id, etag }: Pick<WholeCase, 'id' | 'etag'>,
  body: Parameters<typeof call<'patch', '/api/cases/{id}'>>[2]['body'],
): Promise<WholeCase> {
  const { value } = await callForHeaders('patch', '/api/cases/{id}', {
    path: { id },
    body,
    headers: { 'if-match': etag },
  });
  return value;
}

export async function addFile(id: string, file: File): Promise<void> {
  const form = new FormData();
  form.append('file', file, file.name);
  await send(addressOf('/api/cases/{id}/files', { path: { id } }), { method: 'POST', body: form });
}
