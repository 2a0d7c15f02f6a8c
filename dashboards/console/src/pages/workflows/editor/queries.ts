import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../../api/client.ts';
import { workflowKey } from '../queries.ts';
import type { Schema } from './completion.ts';

export type CheckedDraft = Answer<'post', '/api/v1/workflows/check'>;
export type DraftTask = CheckedDraft['tasks'][number];

/** Issues that a release of the text would report. Cached by text. */
export const checkQuery = (yamlContent: string) =>
  queryOptions({
    queryKey: ['workflows', 'check', yamlContent],
    queryFn: ({ signal }) => call('post', '/api/v1/workflows/check', { body: { yamlContent }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

/** The JSON Schema of the language, for completions. */
export const schemaQuery = queryOptions({
  queryKey: ['workflows', 'schema'],
  queryFn: async ({ signal }) => (await call('get', '/api/v1/workflow-schema', { signal })) as Schema,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The latest executions that a dry run can use. */
export const recordedQuery = (id: string) =>
  queryOptions({
    queryKey: [...workflowKey(id), 'executions', 'recorded'],
    queryFn: async ({ signal }) => {
      const query = { status: 'completed,failed', limit: 20 };
      const { data } = await call('get', '/api/v1/workflows/{id}/executions', { path: { id }, query, signal });
      return data.filter(({ triggerType }) => triggerType !== 'dry-run');
    },
  });
