import type { ApiServer } from '../../../http/api-server.ts';
import { sendEventsRoute } from '../events.ts';
import { executionEventsRoute } from '../executions/events.ts';
import { recentExecutionsRoute } from '../executions/list.ts';
import { waitsRoute } from '../executions/waits.ts';
import { secretRoutes } from '../secrets.ts';
import { v1Scope } from '../v1-scope.ts';
import type { WorkflowRouteDeps } from './deps.ts';
import { workflowExecutionRoutes } from './executions.ts';
import { workflowFileRoute } from './files.ts';
import { readWorkflowRoutes } from './read.ts';
import { releaseRoutes } from './release.ts';
import { rerunRoute } from './rerun.ts';
import { runWorkflowRoute } from './run.ts';

/** Everything about workflows under /api/v1. When the server closes, whoever is held is answered: the watch ends first. */
export async function workflowRoutes(app: ApiServer, deps: WorkflowRouteDeps): Promise<void> {
  app.addHook('preClose', () => deps.watch.close());
  await v1Scope(app, async (scope) => {
    readWorkflowRoutes(scope, deps);
    releaseRoutes(scope, deps);
    workflowExecutionRoutes(scope, deps);
    workflowFileRoute(scope, deps);
    rerunRoute(scope, deps);
    recentExecutionsRoute(scope, deps);
    executionEventsRoute(scope, deps);
    waitsRoute(scope, deps);
    secretRoutes(scope, deps);
    // Forms and events are read in scopes of their own: no other route takes them.
    await scope.register((inner) => runWorkflowRoute(inner as ApiServer, deps));
    await scope.register(async (inner) => sendEventsRoute(inner as ApiServer, deps));
  });
}
