import type { ServerConnection } from '../server-connection.ts';

/** Executions of both kinds share ids but have separate routes. */
export type ExecutionKind = 'workflows' | 'agents';

export function workflowPath(slug: string, rest = ''): string {
  return `/api/v1/workflows/${encodeURIComponent(slug)}${rest}`;
}

export function agentPath(slug: string, rest = ''): string {
  return `/api/v1/agents/${encodeURIComponent(slug)}${rest}`;
}

export function executionPath(kind: ExecutionKind, id: string, rest = ''): string {
  return `/api/v1/${kind}/executions/${encodeURIComponent(id)}${rest}`;
}

/** Tries the routes of workflows, then those of agents, if the kind of the execution is not given. */
export async function requestExecution(
  server: ServerConnection,
  id: string,
  rest: Readonly<Record<ExecutionKind, string>>,
  init?: RequestInit,
): Promise<{ readonly kind: ExecutionKind; readonly response: Response }> {
  const response = await server.fetch(executionPath('workflows', id, rest.workflows), init);
  if (response.ok) return { kind: 'workflows', response };
  await response.body?.cancel();
  if (response.status === 404)
    return { kind: 'agents', response: await server.request(executionPath('agents', id, rest.agents), init) };
  // Throws with the message of the error envelope.
  return { kind: 'workflows', response: await server.request(executionPath('workflows', id, rest.workflows), init) };
}
