import type { ApiServer } from './http/api-server.ts';
import type { IssueKey } from './platform/keys/issue-key.ts';
import type { RevokeKey } from './platform/keys/revoke-key.ts';
import type { CreateUser } from './platform/users/create-user.ts';
import { adminApiKeyRoutes } from './routes/admin/api-keys.ts';
import { createUserRoute } from './routes/admin/create-user.ts';
import { scraperRoutes } from './routes/scrapers.ts';
import { uploadsRoute } from './routes/uploads.ts';
import { apiKeyRoutes } from './routes/user/api-keys.ts';
import type { ScraperPipeline } from './scrapers/pipeline.ts';
import { SCRAPERS } from './scrapers/scrapers.ts';
import type { SharedState } from './shared-state/port.ts';
import type { ReportSecurityEvent } from './siem/port.ts';
import type { Database } from './store/database.ts';

/** Everything the routes of the platform need. Each part is made in `deploy/` from its own `create…`. */
export interface PlatformDeps {
  /** Uploads are served from the folder `tmp` in it. */
  readonly dataDir: string;
  readonly report: ReportSecurityEvent;
  readonly scraperPipeline: ScraperPipeline;
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
  scraperRoutes(app, { scrapers: SCRAPERS, pipeline: deps.scraperPipeline, report: deps.report });
  uploadsRoute(app, deps);
}
