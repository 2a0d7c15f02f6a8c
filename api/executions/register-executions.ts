import type { Audit } from '#api/audit/port.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import type { Executions } from './engine/executions.ts';
import { executionsDashboard } from './routes/dashboard.ts';
import { executionEventsRoute } from './routes/events.ts';
import { type RecentExecutionsDeps, recentExecutionsRoute } from './routes/list.ts';
import { type OneExecutionDeps, oneExecutionRoutes } from './routes/one.ts';
import { secretRoutes } from './routes/secrets.ts';
import { sendEventsRoute } from './routes/send-events.ts';
import { signalRoutes } from './routes/signals.ts';
import { suspensionRoutes } from './routes/suspension.ts';
import { v1Scope } from './routes/v1-scope.ts';
import { type WaitRoutesDeps, waitRoutes } from './routes/waits.ts';
import { type WorkerTaskRoutesDeps, workerTaskRoutes } from './routes/worker-tasks.ts';
import type { Secrets } from './secrets/secrets.ts';
import type { ExecutionWatch } from './watch/port.ts';

/** Dependencies of the routes of executions. */
export interface ExecutionsDeps extends RecentExecutionsDeps, WaitRoutesDeps, OneExecutionDeps, WorkerTaskRoutesDeps {
  readonly audit: Audit;
  readonly executions: Executions;
  readonly watch: ExecutionWatch;
  readonly secrets: Secrets;
  /** Interval in ms at which the server rechecks that a subscriber may still read the execution. Default 5,000. */
  readonly recheckMs?: number;
}

/**
 * Registers the routes that executions of workflows and agents share. On shutdown, the watch and the polls end first,
 * so held requests receive their responses.
 */
export async function registerExecutions(app: ApiServer, deps: ExecutionsDeps): Promise<void> {
  app.addHook('preClose', async () => {
    await Promise.all([deps.watch.close(), deps.workerTasks.close()]);
  });
  await v1Scope(app, async (scope) => {
    recentExecutionsRoute(scope, deps);
    oneExecutionRoutes(scope, deps);
    suspensionRoutes(scope, deps);
    executionEventsRoute(scope, deps);
    waitRoutes(scope, deps);
    secretRoutes(scope, deps);
    // Events are read in a separate scope, so no other route accepts their content types.
    await scope.register(async (inner) => {
      sendEventsRoute(inner as ApiServer, deps);
      signalRoutes(inner as ApiServer, deps);
    });
  });
  // Bodies of external workers are parsed with exact integers.
  await app.register(async (inner) => workerTaskRoutes(inner as ApiServer, deps));
  executionsDashboard(app, deps);
}
