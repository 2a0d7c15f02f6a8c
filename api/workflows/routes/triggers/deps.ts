import type { Audit } from '#api/audit/port.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Webhooks } from '../../triggers/webhooks.ts';

export interface TriggerRouteDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly webhooks: Webhooks;
}
