import { v1Scope } from '#api/executions/routes/v1-scope.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import type { WorkflowRouteDeps } from './deps.ts';
import { workflowExecutionRoutes } from './executions.ts';
import { workflowFileRoute } from './files.ts';
import { readWorkflowRoutes } from './read.ts';
import { releaseRoutes } from './release.ts';
import { rerunRoute } from './rerun.ts';
import { runWorkflowRoute } from './run.ts';

/** Workflows, their definitions and their executions, under /api/v1. */
export async function workflowRoutes(app: ApiServer, deps: WorkflowRouteDeps): Promise<void> {
  await v1Scope(app, async (scope) => {
    readWorkflowRoutes(scope, deps);
    releaseRoutes(scope, deps);
    workflowExecutionRoutes(scope, deps);
    workflowFileRoute(scope, deps);
    rerunRoute(scope, deps);
    // Forms are read in a scope of their own: no other route takes them.
    await scope.register((inner) => runWorkflowRoute(inner as ApiServer, deps));
  });
}
