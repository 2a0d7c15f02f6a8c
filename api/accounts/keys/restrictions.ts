import type { KeyRestrictions } from '#api/http/access/caller.ts';

/** Whether a key may call a route. `execution`: the workflow or agent of this execution decides. */
export type RouteRight = 'permitted' | 'refused' | { readonly execution: string };

/** Route of the tools for assistants. Each request that a tool makes is checked separately. */
const MCP_ROUTE = '/mcp';

/**
 * Returns whether a key restricted to `resources` (`workflow:<id or name>`, `agent:<id or name>`) may call a route.
 * Such a key calls only routes of these workflows and agents and of their executions. Lists and all other routes are
 * refused.
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

/** Returns the part of the API that a route belongs to, for usage figures, such as `workflows` or `events`. */
export function routeGroup(route: string): string {
  return /^\/(?:api\/)?(?:v1\/)?([a-z\d-]+)/.exec(route)?.[1]?.slice(0, 64) ?? 'other';
}

/** Returns the restrictions of a key. Undefined if it has none, as most keys. */
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
