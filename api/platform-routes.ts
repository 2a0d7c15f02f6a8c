import type { ApiServer } from './http/api-server.ts';
import type { IssueKey } from './platform/keys/issue-key.ts';
import type { RevokeKey } from './platform/keys/revoke-key.ts';
import type { CreateUser } from './platform/users/create-user.ts';
import { adminApiKeyRoutes } from './routes/admin/api-keys.ts';
import { createUserRoute } from './routes/admin/create-user.ts';
import { apiKeyRoutes } from './routes/user/api-keys.ts';
import type { SharedState } from './shared-state/port.ts';
import type { Database } from './store/database.ts';

/** Everything the routes of the platform need. Each part is made in `deploy/` from its own `create…`. */
export interface PlatformDeps {
  readonly database: Database;
  readonly shared: SharedState;
  readonly issueKey: IssueKey;
  readonly revokeKey: RevokeKey;
  readonly createUser: CreateUser;
}

/** Accounts, keys, scrapers, administration: each line adds the routes of one subject. */
export async function platformRoutes(app: ApiServer, deps: PlatformDeps): Promise<void> {
  apiKeyRoutes(app, deps);
  adminApiKeyRoutes(app, deps);
  createUserRoute(app, deps);
}
