import type { ApiServer } from '#api/http/api-server.ts';
import { agentScope } from './agent-scope.ts';
import { agentRoutes } from './agents.ts';
import { datasetRoutes } from './dataset.ts';
import type { AgentRouteDeps } from './deps.ts';
import { agentExecutionRoutes } from './executions/execution.ts';
import { expectedRoutes } from './executions/expected.ts';
import { feedbackRoutes } from './executions/feedback.ts';
import { executionFileRoute } from './executions/files.ts';
import { listAgentExecutionsRoute } from './executions/list.ts';
import { agentFileRoutes } from './files.ts';
import { runAgentRoute } from './run.ts';
import { agentVersionsRoute } from './versions.ts';

/** Agents and their executions: everything under /api/v1/agents. */
export function agentApiRoutes(app: ApiServer, deps: AgentRouteDeps): void {
  agentScope(app, (scope) => {
    agentRoutes(scope, deps);
    agentFileRoutes(scope, deps);
    agentVersionsRoute(scope, deps);
    runAgentRoute(scope, deps);
    datasetRoutes(scope, deps);
    listAgentExecutionsRoute(scope, deps);
    agentExecutionRoutes(scope, deps);
    feedbackRoutes(scope, deps);
    expectedRoutes(scope, deps);
    executionFileRoute(scope, deps);
  });
}
