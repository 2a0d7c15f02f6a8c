import type { ApiServer } from './http/api-server.ts';
import type { SharedState } from './shared-state/port.ts';
import type { Database } from './store/database.ts';

/** Everything the routes of the platform need. Each part is made in `deploy/` from its own `create…`. */
export interface PlatformDeps {
  readonly database: Database;
  readonly shared: SharedState;
}

/** Accounts, keys, scrapers, administration: each line adds the routes of one subject. */
export async function platformRoutes(_app: ApiServer, _deps: PlatformDeps): Promise<void> {}
