import { v1Scope } from '#api/executions/routes/v1-scope.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { grantRoutes } from '#api/sharing/routes/grants.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { bulkActionRoutes, bulkProgressRoutes } from './routes/bulk-actions.ts';
import { deleteWorkflowRoute } from './routes/delete.ts';
import { type WorkflowRouteDeps, workflowOf } from './routes/deps.ts';
import { draftRoutes } from './routes/drafts.ts';
import { workflowExecutionRoutes } from './routes/executions.ts';
import { workflowFileRoute } from './routes/files.ts';
import { workflowLimitRoutes } from './routes/limits.ts';
import { readWorkflowRoutes } from './routes/read.ts';
import { releaseRoutes } from './routes/release.ts';
import { rerunRoute } from './routes/rerun.ts';
import { runWorkflowRoute } from './routes/run.ts';

/** Registers the routes of workflows, definitions and executions under /api/v1. */
export async function registerWorkflows(app: ApiServer, deps: WorkflowRouteDeps): Promise<void> {
  await v1Scope(app, async (scope) => {
    readWorkflowRoutes(scope, deps);
    releaseRoutes(scope, deps);
    deleteWorkflowRoute(scope, deps);
    workflowExecutionRoutes(scope, deps);
    workflowFileRoute(scope, deps);
    rerunRoute(scope, deps);
    draftRoutes(scope, deps);
    workflowLimitRoutes(scope, deps);
    bulkActionRoutes(scope, deps);
    bulkProgressRoutes(scope, deps);
    grantRoutes(scope, deps, {
      kind: 'workflow',
      find: (request, idOrSlug) => workflowOf(deps.database, viewerOf(request), idOrSlug),
    });
    // Forms are parsed in a separate scope, so no other route accepts them.
    await scope.register((inner) => runWorkflowRoute(inner as ApiServer, deps));
  });
}
