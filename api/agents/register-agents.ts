import type { ApiServer } from '#api/http/api-server.ts';
import { grantRoutes } from '#api/sharing/routes/grants.ts';
import { agentScope } from './routes/agent-scope.ts';
import { agentRoutes } from './routes/agents.ts';
import { datasetRoutes } from './routes/dataset.ts';
import { type AgentRouteDeps, requesterOf } from './routes/deps.ts';
import { agentExecutionRoutes } from './routes/executions/execution.ts';
import { expectedRoutes } from './routes/executions/expected.ts';
import { feedbackRoutes } from './routes/executions/feedback.ts';
import { executionFileRoute } from './routes/executions/files.ts';
import { listAgentExecutionsRoute } from './routes/executions/list.ts';
import { experimentRoutes } from './routes/experiments.ts';
import { agentFileRoutes } from './routes/files.ts';
import { mcpToolRoutes } from './routes/mcp-tools.ts';
import { runAgentRoute } from './routes/run.ts';
import { agentUsageRoute } from './routes/usage.ts';
import { agentVersionsRoute } from './routes/versions.ts';

/** Registers the routes of agents and their executions under /api/v1/agents. */
export function registerAgents(app: ApiServer, deps: AgentRouteDeps): void {
  agentScope(app, (scope) => {
    agentRoutes(scope, deps);
    agentFileRoutes(scope, deps);
    agentVersionsRoute(scope, deps);
    agentUsageRoute(scope, deps);
    mcpToolRoutes(scope, deps);
    experimentRoutes(scope, deps);
    runAgentRoute(scope, deps);
    datasetRoutes(scope, deps);
    listAgentExecutionsRoute(scope, deps);
    agentExecutionRoutes(scope, deps);
    feedbackRoutes(scope, deps);
    expectedRoutes(scope, deps);
    executionFileRoute(scope, deps);
    grantRoutes(scope, deps, {
      kind: 'agent',
      find: (request, idOrSlug) => deps.agents.find(requesterOf(request), idOrSlug),
    });
  });
}
