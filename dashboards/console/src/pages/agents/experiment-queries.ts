import { queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { agentKey } from './queries.ts';

export type Usage = Answer<'get', '/api/v1/agents/{agentId}/usage'>;
export type ExperimentResult = Answer<'get', '/api/v1/agents/{agentId}/experiments/{experimentId}'>;
export type McpTool = Answer<'get', '/api/v1/agents/{agentId}/mcp-tools'>['data'][number];

export const usageQuery = (agentId: string, from: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'usage', from],
    queryFn: ({ signal }) =>
      call('get', '/api/v1/agents/{agentId}/usage', { path: { agentId }, query: { from }, signal }),
  });

export const versionsQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'versions'],
    queryFn: ({ signal }) =>
      call('get', '/api/v1/agents/{agentId}/versions', { path: { agentId }, query: { limit: 100 }, signal }),
  });

export const checksQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'checks'],
    queryFn: ({ signal }) => call('get', '/api/v1/agents/{agentId}/checks', { path: { agentId }, signal }),
  });

export const experimentsQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'experiments'],
    queryFn: ({ signal }) =>
      call('get', '/api/v1/agents/{agentId}/experiments', { path: { agentId }, query: { limit: 100 }, signal }),
  });

export const experimentQuery = (agentId: string, experimentId: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'experiment', experimentId],
    queryFn: ({ signal }) =>
      call('get', '/api/v1/agents/{agentId}/experiments/{experimentId}', { path: { agentId, experimentId }, signal }),
    staleTime: 0,
  });

export const mcpToolsQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKey(agentId), 'mcp-tools'],
    queryFn: ({ signal }) => call('get', '/api/v1/agents/{agentId}/mcp-tools', { path: { agentId }, signal }),
    retry: false,
  });
