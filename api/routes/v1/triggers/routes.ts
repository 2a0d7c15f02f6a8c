import type { Webhooks } from '../../../executions/triggers/webhooks.ts';
import type { ApiServer } from '../../../http/api-server.ts';
import type { Audit } from '../../../platform/audit/port.ts';
import type { Database } from '../../../store/database.ts';
import { v1Scope } from '../v1-scope.ts';
import { manageTriggersRoutes } from './manage.ts';
import { deliverWebhookRoute } from './webhook.ts';

export interface TriggerRouteDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly webhooks: Webhooks;
}

/** What makes executions begin by themselves, under /api/v1/workflows/{id}. */
export async function triggerRoutes(app: ApiServer, deps: TriggerRouteDeps): Promise<void> {
  await v1Scope(app, async (scope) => {
    manageTriggersRoutes(scope, deps);
    // Bodies are taken as bytes: the signature is over what was sent.
    await scope.register(async (inner) => deliverWebhookRoute(inner as ApiServer, deps));
  });
}
