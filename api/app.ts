import { isTemporary } from '#analytics/clickhouse/failure.ts';
import type { TriggerRouteDeps } from '#api/workflows/routes/triggers/deps.ts';
import { accountRefusal } from './accounts/account-refusal.ts';
import { type RestrictKeysDeps, restrictKeys } from './accounts/keys/restrict-keys.ts';
import { type AccountsDeps, registerAccounts } from './accounts/register-accounts.ts';
import { registerAgents } from './agents/register-agents.ts';
import type { AgentRouteDeps } from './agents/routes/deps.ts';
import { type AuditDeps, registerAudit } from './audit/register-audit.ts';
import { registerCases } from './cases/register-cases.ts';
import type { CaseRoutesDeps } from './cases/routes/deps.ts';
import { type DetectionsDeps, registerDetections } from './detections/register-detections.ts';
import { type DetectorsDeps, registerDetectors } from './detectors/register-detectors.ts';
import { type ExecutionsDeps, registerExecutions } from './executions/register-executions.ts';
import type { ApiServer } from './http/api-server.ts';
import { type BaseDeps, type BaseOptions, buildBaseApp } from './http/base-app.ts';
import { createBodyBudget } from './http/bodies/body-budget.ts';
import { RECORD_OVERHEAD_BYTES } from './http/bodies/read-records.ts';
import type { ConnectionLimits } from './http/connection-limits.ts';
import type { ConsoleFiles } from './http/console/page.ts';
import { consoleRoutes } from './http/console/routes.ts';
import { bodyMemory } from './http/plugins/body-memory.ts';
import { compression } from './http/plugins/compression.ts';
import { type GuardDeps, guard } from './http/plugins/guard.ts';
import { openapi } from './http/plugins/openapi.ts';
import type { UploadRate } from './http/plugins/upload-rate.ts';
import type { RequestRecord } from './http/request-record.ts';
import { docsRoutes } from './http/routes/docs.ts';
import { healthRoute, type StoreChecks } from './http/routes/health.ts';
import { prometheusRoute } from './http/routes/prometheus.ts';
import { serverProofRoute } from './http/routes/server-proof.ts';
import { type McpDeps, registerMcp } from './mcp/register-mcp.ts';
import { registerOutputs } from './outputs/register-outputs.ts';
import type { OutputRoutesDeps } from './outputs/routes/definitions.ts';
import { isDatabaseUnavailable } from './postgres/failure.ts';
import { noteWrites, type RecentWrites } from './read-replica/recent-writes.ts';
import { registerScim, type ScimDeps } from './scim/register-scim.ts';
import { registerScrapers, type ScrapersDeps } from './scrapers/register-scrapers.ts';
import { SharedStateUnavailable } from './shared-state/port.ts';
import { registerSharing, type SharingDeps } from './sharing/register-sharing.ts';
import { apiLog } from './telemetry/api-log/plugin.ts';
import { registerTelemetry, type TelemetryDeps } from './telemetry/register-telemetry.ts';
import { abuseSignals } from './telemetry/siem/abuse-signals.ts';
import { registerWorkflows } from './workflows/register-workflows.ts';
import type { WorkflowRouteDeps } from './workflows/routes/deps.ts';
import { triggerRoutes } from './workflows/routes/triggers/routes.ts';

/** Dependencies of the server, by subject. This process does not serve a subject that is undefined. */
export interface AppDeps extends BaseDeps, DetectionsDeps {
  /** Authentication, access checks and rate limits. */
  readonly guard: GuardDeps;
  /** Enforces the restrictions of keys and counts their requests. If undefined, no key is restricted. */
  readonly keyRestrictions?: RestrictKeysDeps | undefined;
  readonly accounts?: AccountsDeps | undefined;
  readonly scim?: ScimDeps | undefined;
  readonly detectors?: DetectorsDeps | undefined;
  readonly audit?: AuditDeps | undefined;
  readonly telemetry?: TelemetryDeps | undefined;
  readonly scrapers?: ScrapersDeps | undefined;
  readonly sharing?: SharingDeps | undefined;
  readonly executions?: ExecutionsDeps | undefined;
  readonly workflows?: WorkflowRouteDeps | undefined;
  readonly triggers?: TriggerRouteDeps | undefined;
  readonly agents?: AgentRouteDeps | undefined;
  readonly outputs?: OutputRoutesDeps | undefined;
  readonly cases?: CaseRoutesDeps | undefined;
  readonly mcp?: McpDeps | undefined;
  /** Each sink receives the record of every request: the API log, the SIEM, the live feed. */
  readonly requestSinks?: readonly ((record: RequestRecord) => void)[];
  /** Records callers that wrote recently. Undefined if lists are not read from a replica. */
  readonly writes?: RecentWrites | undefined;
  /** Computes the response of /api/server-proof for a nonce. */
  readonly proveServer?: ((nonce: string) => string) | undefined;
  /** Checks of the stores for /api/health. */
  readonly stores?: StoreChecks;
  /** The built web console. If undefined, the console is not served. */
  readonly console?: ConsoleFiles | undefined;
}

export interface AppOptions {
  /** Maximum bytes of one request body, decompressed. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Maximum bytes of all request bodies in memory. One caller gets at most half. Further bodies get 429. Default: twice
   * the largest body.
   */
  readonly maxBodiesBytes?: number;
  /** Maximum number of events per request. Default 50,000. */
  readonly maxRecords?: number;
  readonly connections?: ConnectionLimits | undefined;
  readonly uploadRate?: UploadRate | undefined;
  readonly tls?: BaseOptions['tls'];
  /** Time that the server waits for responses in flight when it closes. Default 5 s. */
  readonly closeGraceMs?: number;
}

/** Builds the server for production and tests. The caller starts listening. */
export async function buildApp(deps: AppDeps, options: AppOptions = {}): Promise<ApiServer> {
  const { maxBodyBytes = 32 * 2 ** 20, maxRecords = 50_000 } = options;
  const { maxBodiesBytes = 2 * (maxBodyBytes + maxRecords * RECORD_OVERHEAD_BYTES) } = options;
  const { closeGraceMs } = options;
  const app = await buildBaseApp(
    { isTemporary: isUnavailable, refusalOf: accountRefusal, ...deps },
    {
      ...(closeGraceMs === undefined ? {} : { closeGraceMs }),
      connections: options.connections,
      uploadRate: options.uploadRate,
      tls: options.tls,
      metricsAccess: { by: 'admin' },
      async guard(server) {
        await server.register(openapi);
        await server.register(apiLog, { sinks: deps.requestSinks ?? [] });
        await server.register(abuseSignals, { report: deps.guard.report });
        await server.register(guard, deps.guard);
        if (deps.keyRestrictions !== undefined) await server.register(restrictKeys, deps.keyRestrictions);
        if (deps.writes !== undefined) await server.register(noteWrites, { writes: deps.writes });
        await server.register(compression);
      },
    },
  );
  const budget = createBodyBudget(maxBodiesBytes);
  await app.register(bodyMemory, { budget });
  await registerDetections(app, deps, { maxBodyBytes, maxRecords, budget });
  docsRoutes(app);
  prometheusRoute(app, deps.registry, { exemplars: deps.tracing?.isOn ?? false });
  if (deps.console !== undefined) await consoleRoutes(app, deps.console);
  if (deps.proveServer !== undefined) serverProofRoute(app, deps.proveServer);
  if (deps.stores !== undefined) healthRoute(app, deps.stores);
  if (deps.accounts !== undefined) await registerAccounts(app, deps.accounts);
  if (deps.scim !== undefined) registerScim(app, deps.scim);
  if (deps.detectors !== undefined) registerDetectors(app, deps.detectors);
  if (deps.audit !== undefined) registerAudit(app, deps.audit);
  if (deps.telemetry !== undefined) await registerTelemetry(app, deps.telemetry);
  if (deps.scrapers !== undefined) registerScrapers(app, deps.scrapers);
  if (deps.sharing !== undefined) registerSharing(app, deps.sharing);
  if (deps.executions !== undefined) await registerExecutions(app, deps.executions);
  if (deps.workflows !== undefined) await registerWorkflows(app, deps.workflows);
  if (deps.triggers !== undefined) await triggerRoutes(app, deps.triggers);
  if (deps.agents !== undefined) registerAgents(app, deps.agents);
  if (deps.cases !== undefined) registerCases(app, deps.cases);
  if (deps.outputs !== undefined) registerOutputs(app, deps.outputs);
  if (deps.mcp !== undefined) registerMcp(app, deps.mcp);
  return app;
}

/** True for temporary errors of ClickHouse, PostgreSQL and the shared state (where a caller cannot continue without it). */
function isUnavailable(error: unknown): boolean {
  return isTemporary(error) || isDatabaseUnavailable(error) || error instanceof SharedStateUnavailable;
}
