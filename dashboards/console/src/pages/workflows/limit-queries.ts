import { queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { workflowKey } from './queries.ts';

export type WorkflowLimits = Answer<'get', '/api/v1/workflows/{id}/limits'>;
export type BulkAction = Answer<'get', '/api/v1/workflows/{id}/bulk-actions'>['data'][number];

const REFRESH_MS = 5_000;
const PROGRESS_MS = 1_000;

/** Refreshed while starts are queued. */
export const limitsQuery = (id: string) =>
  queryOptions({
    queryKey: [...workflowKey(id), 'limits'],
    queryFn: ({ signal }) => call('get', '/api/v1/workflows/{id}/limits', { path: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.waiting > 0 ? REFRESH_MS : false),
  });

/** Refreshed while an action is running. */
export const bulkActionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...workflowKey(id), 'bulk-actions'],
    queryFn: async ({ signal }) =>
      (await call('get', '/api/v1/workflows/{id}/bulk-actions', { path: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data?.[0]?.endedAt === null ? PROGRESS_MS : false),
  });

/** Limits for which an execution waits before it starts. */
export const executionLimitsQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['executions', executionId, 'limits'],
    queryFn: ({ signal }) =>
      call('get', '/api/v1/workflows/executions/{executionId}/limits', { path: { executionId }, signal }),
    refetchInterval: REFRESH_MS,
  });
