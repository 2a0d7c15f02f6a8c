import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { cursorList, offsetList } from '../../api/lists.ts';
import { hasEnded } from '../../parts/execution/status.tsx';

export type Execution = Answer<'get', '/api/v1/workflows/executions/{executionId}'>;
export type RecentExecution = Answer<'get', '/api/v1/executions'>['data'][number];
export type Wait = Answer<'get', '/api/v1/waits'>['data'][number];

export type Suspension = NonNullable<Answer<'get', '/api/v1/executions/{executionId}/suspension'>['suspension']>;

/** Returns the workflow or agent of a wait. */
export function unitOf({ workflow, agent }: Wait) {
  return workflow ?? agent;
}

/** Returns the title of the workflow or agent of a wait, or its name. */
export function unitTitle(wait: Wait): string {
  const unit = unitOf(wait);
  return unit?.title ?? unit?.name ?? wait.executionId;
}

export const executionQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['executions', executionId],
    queryFn: ({ signal }) =>
      call('get', '/api/v1/workflows/executions/{executionId}', {
        path: { executionId },
        query: { includeSteps: true, include: 'startedBy' },
        signal,
      }),
  });

/** The suspension of an execution, or null. Refetched when the status changes. */
export const suspensionQuery = (executionId: string, status: string) =>
  queryOptions({
    queryKey: ['executions', executionId, 'suspension', status],
    queryFn: async ({ signal }) =>
      (await call('get', '/api/v1/executions/{executionId}/suspension', { path: { executionId }, signal })).suspension,
    enabled: !hasEnded(status),
    placeholderData: keepPreviousData,
  });

/** Executions of all workflows and agents, newest first. */
export const recentList = (filters: { readonly kind?: 'workflow' | 'agent'; readonly status?: readonly string[] }) =>
  offsetList<RecentExecution>(['executions', 'recent', filters], (offset, signal) => {
    const { kind, status } = filters;
    const query = {
      limit: 100,
      offset,
      include: 'startedBy',
      ...(kind && { kind }),
      ...(status && { status: status.join(',') }),
    };
    return call('get', '/api/v1/executions', { query, signal });
  });

/** All waits of an execution, including those about which the user may not decide. */
export const waitsOf = (execution: string) =>
  queryOptions({
    queryKey: ['waits', 'of', execution],
    queryFn: async ({ signal }) => (await call('get', '/api/v1/waits', { query: { execution }, signal })).data,
  });

export const waitsList = cursorList<Wait>(['waits', 'list'], (cursor, signal) =>
  call('get', '/api/v1/waits', { query: cursor === undefined ? {} : { cursor }, signal }),
);
