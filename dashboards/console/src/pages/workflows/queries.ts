import { queryOptions } from '@tanstack/react-query';
import { type Answer, call, callForHeaders } from '../../api/client.ts';
import { offsetList } from '../../api/lists.ts';

/** A workflow with the ETag of its current version. */
export type Workflow = Answer<'get', '/api/v1/workflows/{id}'> & { readonly etag: string | null };
export type ListedWorkflow = Answer<'get', '/api/v1/workflows'>['data'][number];
export type Version = Answer<'get', '/api/v1/workflows/{id}/versions'>['data'][number];
export type ListedExecution = Answer<'get', '/api/v1/workflows/{id}/executions'>['data'][number];
export type Trigger = Answer<'get', '/api/v1/workflows/{id}/triggers'>['data'][number];

export type WorkflowTask = Answer<'get', '/api/v1/workflows/{id}/tasks'>['data'][number];

/** Prefix of all query keys of one workflow, so that a release invalidates all of them. */
export const workflowKey = (id: string) => ['workflows', 'one', id] as const;

export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: [...workflowKey(id), 'detail'],
    queryFn: async ({ signal }) => {
      const { value, headers } = await callForHeaders('get', '/api/v1/workflows/{id}', { path: { id }, signal });
      return { ...value, etag: headers.get('etag') };
    },
  });

/** The tasks of a version. They never change. */
export const tasksQuery = (id: string, version: string) =>
  queryOptions({
    queryKey: [...workflowKey(id), 'tasks', version],
    queryFn: async ({ signal }) =>
      (await call('get', '/api/v1/workflows/{id}/tasks', { path: { id }, query: { version }, signal })).data,
  });

export const workflowsList = (filters: { readonly search?: string; readonly kind?: 'workflow' | 'block' }) =>
  offsetList<ListedWorkflow>(['workflows', 'list', filters], (offset, signal) =>
    call('get', '/api/v1/workflows', { query: { ...filters, titles: true, offset }, signal }),
  );

export const versionsList = (id: string) =>
  offsetList<Version>([...workflowKey(id), 'versions'], (offset, signal) =>
    call('get', '/api/v1/workflows/{id}/versions', { path: { id }, query: { offset }, signal }),
  );

export const executionsList = (id: string, status: readonly string[] | undefined) =>
  offsetList<ListedExecution>([...workflowKey(id), 'executions', status], (offset, signal) =>
    call('get', '/api/v1/workflows/{id}/executions', {
      path: { id },
      query: { offset, include: 'startedBy', ...(status === undefined ? {} : { status: status.join(',') }) },
      signal,
    }),
  );

export const triggersQuery = (id: string) =>
  queryOptions({
    queryKey: [...workflowKey(id), 'triggers'],
    queryFn: ({ signal }) => call('get', '/api/v1/workflows/{id}/triggers', { path: { id }, signal }),
  });
