import { queryOptions } from '@tanstack/react-query';
import { type Answer, type Body, call } from '../../api/client.ts';

export type UnitKind = 'workflow' | 'agent';
export type Grant = Answer<'get', '/api/v1/workflows/{id}/grants'>['data'][number];
export type NewGrant = Body<'post', '/api/v1/workflows/{id}/grants'>;

/** Permissions of the user on a workflow or agent. */
export const accessQuery = (kind: UnitKind, id: string) =>
  queryOptions({
    queryKey: ['sharing', kind, id, 'access'],
    queryFn: ({ signal }) =>
      kind === 'workflow'
        ? call('get', '/api/v1/workflows/{id}/access', { path: { id }, signal })
        : call('get', '/api/v1/agents/{id}/access', { path: { id }, signal }),
  });

export const grantsQuery = (kind: UnitKind, id: string) =>
  queryOptions({
    queryKey: ['sharing', kind, id, 'grants'],
    queryFn: async ({ signal }) =>
      kind === 'workflow'
        ? (await call('get', '/api/v1/workflows/{id}/grants', { path: { id }, signal })).data
        : (await call('get', '/api/v1/agents/{id}/grants', { path: { id }, signal })).data,
  });

export const addGrant = (kind: UnitKind, id: string, body: NewGrant) =>
  kind === 'workflow'
    ? call('post', '/api/v1/workflows/{id}/grants', { path: { id }, body })
    : call('post', '/api/v1/agents/{id}/grants', { path: { id }, body });

export const removeGrant = (kind: UnitKind, id: string, grant: string) =>
  kind === 'workflow'
    ? call('delete', '/api/v1/workflows/{id}/grants/{grant}', { path: { id, grant } })
    : call('delete', '/api/v1/agents/{id}/grants/{grant}', { path: { id, grant } });

/** Teams with which a workflow or agent can be shared, by name. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => (await call('get', '/api/v1/teams', { query: { limit: 100 }, signal })).data,
});
