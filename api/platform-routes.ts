import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { SystemSamples } from './dashboard/system-samples.ts';
import type { ApiServer } from './http/api-server.ts';
import type { FeedSockets } from './live-feed/feed-sockets.ts';
import type { Outputs } from './outputs/outputs.ts';
import type { SessionCaller } from './platform/access/caller.ts';
import type { Accounts } from './platform/accounts/accounts.ts';
import type { RegistrationSetting } from './platform/accounts/registration-setting.ts';
import type { ChangeQuota } from './platform/admin/change-quota.ts';
import type { ChangeUser } from './platform/admin/change-user.ts';
import type { RecordChange } from './platform/audit/record-change.ts';
import type { IssueKey } from './platform/keys/issue-key.ts';
import type { RevokeKey } from './platform/keys/revoke-key.ts';
import type { OAuthSignIn } from './platform/oauth/sign-in.ts';
import type { SessionCookie } from './platform/sessions/session-cookie.ts';
import type { CreateUser } from './platform/users/create-user.ts';
import type { CountView } from './platform/views/count-view.ts';
import { adminApiKeyRoutes } from './routes/admin/api-keys.ts';
import { auditLogRoutes } from './routes/admin/audit-log.ts';
import { createUserRoute } from './routes/admin/create-user.ts';
import { adminUserRoutes } from './routes/admin/users.ts';
import { accountRoutes } from './routes/auth/accounts.ts';
import { oauthRoutes } from './routes/auth/oauth.ts';
import { executionsDashboard } from './routes/dashboard/executions.ts';
import { dashboardRoutes } from './routes/dashboard/routes.ts';
import { featuresRoute } from './routes/features.ts';
import { outputDefinitionRoutes } from './routes/outputs/definitions.ts';
import { outputDeliveryRoutes } from './routes/outputs/deliveries.ts';
import { scraperRoutes } from './routes/scrapers.ts';
import { socketRoute } from './routes/socket.ts';
import { statsRoutes } from './routes/stats.ts';
import { uploadsRoute } from './routes/uploads.ts';
import { apiKeyRoutes } from './routes/user/api-keys.ts';
import { quotaRoutes } from './routes/user/quota.ts';
import type { AgentRouteDeps } from './routes/v1/agents/deps.ts';
import { agentApiRoutes } from './routes/v1/agents/routes.ts';
import { type ExecutionRouteDeps, executionRoutes } from './routes/v1/executions/routes.ts';
import { type TriggerRouteDeps, triggerRoutes } from './routes/v1/triggers/routes.ts';
import type { WorkflowRouteDeps } from './routes/v1/workflows/deps.ts';
import { workflowRoutes } from './routes/v1/workflows/routes.ts';
import { pageViewsRoute } from './routes/views/index.ts';
import type { ScraperPipeline } from './scrapers/pipeline.ts';
import { SCRAPERS } from './scrapers/scrapers.ts';
import type { SharedState } from './shared-state/port.ts';
import type { Database } from './store/database.ts';

/** Everything the routes of the platform need. Each part is made in `deploy/` from its own `create…`. */
export interface PlatformDeps {
  /** Uploads are served from the folder `tmp` in it. */
  readonly dataDir: string;
  readonly scraperPipeline: ScraperPipeline;
  readonly database: Database;
  /** Where statistics are read from. */
  readonly clickhouse: ClickHouse;
  /** Of this process, for its dashboard. */
  readonly samples: SystemSamples;
  readonly shared: SharedState;
  readonly issueKey: IssueKey;
  readonly revokeKey: RevokeKey;
  readonly createUser: CreateUser;
  readonly changeUser: ChangeUser;
  readonly changeQuota: ChangeQuota;
  /** The audit log, for changes of what lies in ClickHouse; see `createChangeRecord`. */
  readonly recordChange: RecordChange;
  readonly accounts: Accounts;
  readonly oauth: OAuthSignIn;
  /** Pages offer registration by this; the rule itself is enforced by `accounts` and `oauth`. */
  readonly registration: RegistrationSetting;
  readonly sessionCookie: SessionCookie;
  readonly countView: CountView;
  /** Readers of the live feed. */
  readonly sockets: FeedSockets;
  /** Executions of workflows and agents; undefined: this process does not serve them. */
  readonly executions?: ExecutionRouteDeps | undefined;
  /** Workflows and their executions; undefined: this process does not serve them. */
  readonly workflows?: WorkflowRouteDeps | undefined;
  /** Agents and their executions; undefined: this process does not serve them. */
  readonly agents?: AgentRouteDeps | undefined;
  /** What makes executions begin by themselves; undefined: this process does not serve it. */
  readonly triggers?: TriggerRouteDeps | undefined;
  /** Where detections are sent; undefined: this process does not serve their administration. */
  readonly outputs?: Outputs | undefined;
  readonly authenticateSession: (cookie: string) => Promise<SessionCaller | undefined>;
  /** Origins of pages that may open the live feed; undefined: those of this server. */
  readonly allowedOrigins: readonly string[] | undefined;
}

/** Accounts, keys, scrapers, administration: each line adds the routes of one subject. */
export async function platformRoutes(app: ApiServer, deps: PlatformDeps): Promise<void> {
  apiKeyRoutes(app, deps);
  adminApiKeyRoutes(app, deps);
  createUserRoute(app, deps);
  adminUserRoutes(app, deps);
  quotaRoutes(app, deps);
  auditLogRoutes(app, deps);
  scraperRoutes(app, { scrapers: SCRAPERS, pipeline: deps.scraperPipeline });
  uploadsRoute(app, deps);
  featuresRoute(app, { scrapers: SCRAPERS });
  accountRoutes(app, deps);
  oauthRoutes(app, deps);
  pageViewsRoute(app, deps);
  statsRoutes(app, deps);
  dashboardRoutes(app, deps);
  if (deps.outputs !== undefined) {
    const { database, outputs } = deps;
    outputDefinitionRoutes(app, { database, outputs });
    outputDeliveryRoutes(app, { database, outputs });
  }
  if (deps.executions !== undefined) {
    await executionRoutes(app, deps.executions);
    executionsDashboard(app, deps);
  }
  if (deps.workflows !== undefined) await workflowRoutes(app, deps.workflows);
  if (deps.triggers !== undefined) await triggerRoutes(app, deps.triggers);
  await socketRoute(app, deps);
  if (deps.agents !== undefined) agentApiRoutes(app, deps.agents);
}
