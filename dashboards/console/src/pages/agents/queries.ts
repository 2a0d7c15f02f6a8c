import { queryOptions } from '@tanstack/react-query';
import { type Answer, addressOf, call, callForHeaders, send } from '../../api/client.ts';
import { offsetList } from '../../api/lists.ts';
import type { RunFilters } from './search.ts';

/** An agent without its files, with the ETag of its configuration. */
export type Agent = Answer<'get', '/api/v1/agents/{agentId}'>['agent'] & { readonly etag: string | null };
export type ListedAgent = Answer<'get', '/api/v1/agents'>['data'][number];
export type Example = Answer<'get', '/api/v1/agents/{agentId}/examples'>['data'][number];
export type AgentExecution = Answer<'get', '/api/v1/agents/executions/{executionId}'>['execution'];
export type WorkspaceFile = NonNullable<Agent['files']>[number];

export const agentKey = (agentId: string) => ['agents', 'one', agentId] as const;
export const agentExecutionKey = (executionId: string) => ['agent-executions', executionId] as const;

export const agentsList = (filters: { readonly search?: string; readonly archived?: true }) =>
  offsetList<ListedAgent>(['agents', 'list', filters], (offset, signal) => {
    const { search, archived } = filters;
    const query = { limit: 100, offset, ...(search && { search }) };
    return call('get', '/api/v1/agents', { query: archived ? { ...query, includeArchived: true } : query, signal });
  });

/** Fetches the current agent, with its files and its ETag. */
export async function readAgent(agentId: string, signal?: AbortSignal): Promise<Agent> {
  const { value, headers } = await callForHeaders('get', '/api/v1/agents/{agentId}', {
    path: { agentId },
    query: { include: 'files' },
    ...(signal ? { signal } : {}),
  });
  return { ...value.agent, etag: headers.get('etag') };
}

export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'detail'],
    queryFn: ({ signal }) => readAgent(agentId, signal),
  });

/** Fetches the current file of a workspace, with its ETag. */
export async function readFile(agentId: string, path: string, signal?: AbortSignal) {
  const { value, headers } = await callForHeaders('get', '/api/v1/agents/{agentId}/files', {
    path: { agentId },
    query: { path },
    ...(signal ? { signal } : {}),
  });
  if ('file' in value) return { ...value.file, etag: headers.get('etag') };
  throw new Error('the response contains no file');
}
export type StoredFile = Awaited<ReturnType<typeof readFile>>;

export const fileQuery = (agentId: string, path: string, version: number) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'file', path, version],
    queryFn: ({ signal }) => readFile(agentId, path, signal),
  });

export const examplesQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'examples'],
    queryFn: ({ signal }) => call('get', '/api/v1/agents/{agentId}/examples', { path: { agentId }, signal }),
  });

export const evaluationQuery = (agentId: string, batchId: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'evaluation', batchId],
    queryFn: ({ signal }) =>
      call('get', '/api/v1/agents/{agentId}/evaluations/{batchId}', { path: { agentId, batchId }, signal }),
  });

export const runsList = (agentId: string, filters: RunFilters) =>
  offsetList<AgentExecution>([...agentKey(agentId), 'runs', filters], (offset, signal) => {
    const query = { ...filters, include: 'feedback,startedBy', limit: 100, offset };
    return call('get', '/api/v1/agents/{agentId}/executions', { path: { agentId }, query, signal });
  });

export const agentExecutionQuery = (executionId: string) =>
  queryOptions({
    queryKey: agentExecutionKey(executionId),
    queryFn: async ({ signal }) => {
      const query = { include: 'feedback,expected,files,startedBy' };
      return (await call('get', '/api/v1/agents/executions/{executionId}', { path: { executionId }, query, signal }))
        .execution;
    },
  });

/** Returns the download URL of an execution's file. */
export function fileAddress(
  executionId: string,
  kind: 'input' | 'output' | 'issues' | 'trace' | 'expected',
  name: string,
): string {
  return kind === 'expected'
    ? addressOf('/api/v1/agents/executions/{executionId}/expected/{filename}', {
        path: { executionId, filename: name },
      })
    : addressOf('/api/v1/agents/executions/{executionId}/files/{kind}/{filename}', {
        path: { executionId, kind, filename: name },
      });
}

/** Fetches a file of an execution as text. */
export const textQuery = (address: string) =>
  queryOptions({
    queryKey: ['texts', address],
    queryFn: async ({ signal }) => (await send(address, { signal })).text(),
    staleTime: 0,
  });
