import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { Accounts } from '#api/accounts/accounts.ts';
import type { ChangeQuota } from '#api/accounts/admin/change-quota.ts';
import type { ChangeUser } from '#api/accounts/admin/change-user.ts';
import type { CreateUser } from '#api/accounts/admin/create-user.ts';
import type { IssueKey } from '#api/accounts/keys/issue-key.ts';
import type { RevokeKey } from '#api/accounts/keys/revoke-key.ts';
import type { OAuthSignIn } from '#api/accounts/oauth/sign-in.ts';
import type { RegistrationSetting } from '#api/accounts/registration-setting.ts';
import { adminApiKeyRoutes } from '#api/accounts/routes/admin/api-keys.ts';
import { createUserRoute } from '#api/accounts/routes/admin/create-user.ts';
import { adminUserRoutes } from '#api/accounts/routes/admin/users.ts';
import { accountRoutes } from '#api/accounts/routes/auth/accounts.ts';
import { oauthRoutes } from '#api/accounts/routes/auth/oauth.ts';
import { apiKeyRoutes } from '#api/accounts/routes/user/api-keys.ts';
import { quotaRoutes } from '#api/accounts/routes/user/quota.ts';
import type { SessionCookie } from '#api/accounts/sessions/session-cookie.ts';
import type { AgentRouteDeps } from '#api/agents/routes/deps.ts';
import { agentApiRoutes } from '#api/agents/routes/routes.ts';
import type { RecordChange } from '#api/audit/record-change.ts';
import { auditLogRoutes } from '#api/audit/routes.ts';
import { executionsDashboard } from '#api/executions/routes/over-time.ts';
import { type ExecutionRouteDeps, executionRoutes } from '#api/executions/routes/routes.ts';
import { uploadsRoute } from '#api/executions/routes/uploads.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import { outputDefinitionRoutes } from '#api/outputs/routes/definitions.ts';
import { outputDeliveryRoutes } from '#api/outputs/routes/deliveries.ts';
import type { Database } from '#api/postgres/database.ts';
import { featuresRoute } from '#api/scrapers/features-route.ts';
import { scraperRoutes } from '#api/scrapers/routes.ts';
import { dashboardRoutes } from '#api/telemetry/dashboard/routes/routes.ts';
import type { SystemSamples } from '#api/telemetry/dashboard/system-samples.ts';
import type { FeedSockets } from '#api/telemetry/live-feed/feed-sockets.ts';
import { socketRoute } from '#api/telemetry/live-feed/routes.ts';
import { statsRoutes } from '#api/telemetry/routes/stats.ts';
import type { CountView } from '#api/telemetry/views/count-view.ts';
import { pageViewsRoute } from '#api/telemetry/views/routes.ts';
import type { WorkflowRouteDeps } from '#api/workflows/routes/deps.ts';
import { workflowRoutes } from '#api/workflows/routes/routes.ts';
import { type TriggerRouteDeps, triggerRoutes } from '#api/workflows/routes/triggers/routes.ts';
import type { ApiServer } from './http/api-server.ts';
import type { Outputs } from './outputs/outputs.ts';
import type { ScraperPipeline } from './scrapers/pipeline.ts';
import { SCRAPERS } from './scrapers/scrapers.ts';
import type { SharedState } from './shared-state/port.ts';

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
