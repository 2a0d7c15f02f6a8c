import { v1Scope } from '#api/executions/routes/v1-scope.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import type { TriggerRouteDeps } from './deps.ts';
import { manageTriggersRoutes } from './manage.ts';
import { deliverWebhookRoute } from './webhook.ts';

/** Registers the routes of triggers under /api/v1/workflows/{id}. */
export async function triggerRoutes(app: ApiServer, deps: TriggerRouteDeps): Promise<void> {
  await v1Scope(app, async (scope) => {
    manageTriggersRoutes(scope, deps);
    // Bodies are read as bytes, because the signature covers the raw body.
    await scope.register(async (inner) => deliverWebhookRoute(inner as ApiServer, deps));
  });
}
