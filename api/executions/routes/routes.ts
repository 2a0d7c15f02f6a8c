import type { ApiServer } from '#api/http/api-server.ts';
import type { Executions } from '../engine/executions.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ExecutionWatch } from '../watch/port.ts';
import { executionEventsRoute } from './events.ts';
import { type RecentExecutionsDeps, recentExecutionsRoute } from './list.ts';
import { secretRoutes } from './secrets.ts';
import { sendEventsRoute } from './send-events.ts';
import { v1Scope } from './v1-scope.ts';
import { waitsRoute } from './waits.ts';

/** What the routes of executions need, whatever runs in them. */
export interface ExecutionRouteDeps extends RecentExecutionsDeps {
  readonly executions: Executions;
  readonly watch: ExecutionWatch;
  readonly secrets: Secrets;
  /** How often the server checks that the follower of an execution may still read it, ms. Default 5,000. */
  readonly recheckMs?: number;
}

/** The routes that executions of workflows and agents share. When the server closes, the watch ends first, so that held requests get their response. */
export async function executionRoutes(app: ApiServer, deps: ExecutionRouteDeps): Promise<void> {
  app.addHook('preClose', () => deps.watch.close());
  await v1Scope(app, async (scope) => {
    recentExecutionsRoute(scope, deps);
    executionEventsRoute(scope, deps);
    waitsRoute(scope, deps);
    secretRoutes(scope, deps);
    // Events are read in a scope of their own: no other route takes their content types.
    await scope.register(async (inner) => sendEventsRoute(inner as ApiServer, deps));
  });
}
