import type { KeyRestrictions } from '#api/http/access/caller.ts';

/** Whether a route is one of the resources a key is restricted to. `execution`: the execution decides, by what it runs. */
export type RouteRight = 'permitted' | 'refused' | { readonly execution: string };

/** Tools of assistants: each request that they make is judged by itself. */
const MCP_ROUTE = '/mcp';

/**
 * Whether a key that is restricted to `resources` (`workflow:<id or name>`, `agent:<id or name>`) may call a route. Such a key calls only routes
 * of these workflows and agents, and of their executions: no lists, nothing else.
 */
export function routeRight(
  resources: readonly string[],
  route: string,
  params: Readonly<Record<string, string | undefined>>,
): RouteRight {
  if (resources.length === 0 || route === MCP_ROUTE) return 'permitted';
  if (params.executionId !== undefined && /^\/api\/v1\/(?:workflows\/|agents\/)?executions\//.test(route))
    return { execution: params.executionId };
  if (route.startsWith('/api/v1/workflows/:id')) return has(resources, `workflow:${params.id}`);
  if (route.startsWith('/api/v1/agents/:agentId')) return has(resources, `agent:${params.agentId}`);
  return 'refused';
}

function has(resources: readonly string[], resource: string): 'permitted' | 'refused' {
  return resources.includes(resource) ? 'permitted' : 'refused';
}

/** The part of the API that a route belongs to, for figures of usage: `workflows`, `events`. */
export function routeGroup(route: string): string {
  return /^\/(?:api\/)?(?:v1\/)?([a-z\d-]+)/.exec(route)?.[1]?.slice(0, 64) ?? 'other';
}

/** The restrictions of a key; undefined when it has none, as most keys. */
export function restrictionsOf(key: {
  readonly networks: readonly string[];
  readonly resources: readonly string[];
  readonly requestsPerMinute: number | null;
  readonly requestsPerDay: number | null;
}): KeyRestrictions | undefined {
  const { networks, resources, requestsPerMinute, requestsPerDay } = key;
  const none = networks.length === 0 && resources.length === 0 && requestsPerMinute === null && requestsPerDay === null;
  return none ? undefined : { networks, resources, requestsPerMinute, requestsPerDay };
}
