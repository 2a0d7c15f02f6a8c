import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { accountRefusal } from '#api/accounts/account-refusal.ts';
import { deadLetterRoutes } from '#api/detections/routes/dead-letters.ts';
import { demoRoutes } from '#api/detections/routes/demo.ts';
import { eventRoutes } from '#api/detections/routes/events.ts';
import { submitEventsRoute } from '#api/detections/routes/events-submit.ts';
import { type BaseDeps, buildBaseApp } from '#api/http/base-app.ts';
import { consoleRoutes } from '#api/http/console/routes.ts';
import { bodyMemory } from '#api/http/plugins/body-memory.ts';
import { compression } from '#api/http/plugins/compression.ts';
import { eventBody } from '#api/http/plugins/event-body.ts';
import { type GuardDeps, guard } from '#api/http/plugins/guard.ts';
import { openapi } from '#api/http/plugins/openapi.ts';
import type { UploadRate } from '#api/http/plugins/upload-rate.ts';
import type { Demo, Redrive, SubmitEvents } from '#api/http/ports.ts';
import type { RequestRecord } from '#api/http/request-record.ts';
import { docsRoutes } from '#api/http/routes/docs.ts';
import { healthRoute, type StoreChecks } from '#api/http/routes/health.ts';
import { prometheusRoute } from '#api/http/routes/prometheus.ts';
import { serverProofRoute } from '#api/http/routes/server-proof.ts';
import { isDatabaseAway } from '#api/postgres/failure.ts';
import { apiLog } from '#api/telemetry/api-log/plugin.ts';
import { abuseSigns } from '#api/telemetry/siem/abuse-signs.ts';
import { type DetectionServiceDeps, detectionServiceRoutes } from './detection-service-routes.ts';
import type { ApiServer } from './http/api-server.ts';
import { createBodyBudget } from './http/body-budget.ts';
import type { ConnectionLimits } from './http/connection-limits.ts';
import { RECORD_OVERHEAD_BYTES } from './http/read-records.ts';
import { type PlatformDeps, platformRoutes } from './platform-routes.ts';
import { SharedStateAway } from './shared-state/port.ts';

export interface AppDeps extends BaseDeps {
  /** Who may come in, and how often. */
  readonly guard: GuardDeps;
  /** Where lists are read from. */
  readonly clickhouse: ClickHouse;
  readonly submitEvents: SubmitEvents;
  readonly redrive: Redrive;
  /** Thresholds and exceptions as the rules file says. */
  readonly rules: DetectionSettings;
  /** What analysts and administrators change about detections; absent where there is nothing to keep it in. */
  readonly detectionService?: DetectionServiceDeps | undefined;
  readonly demo?: Demo | undefined;
  /** Each hears of every request when it was answered: the API log, the SIEM, the live feed. */
  readonly requestSinks?: readonly ((record: RequestRecord) => void)[];
  /** What /api/server-proof answers, for a nonce. */
  readonly proveServer?: ((nonce: string) => string) | undefined;
  /** What /api/health says. */
  readonly stores?: StoreChecks;
  /** Accounts, keys, scrapers, administration. */
  readonly platform?: PlatformDeps | undefined;
  /** Folder of the built web console; undefined: none is served. */
  readonly consoleFolder?: string | undefined;
}

export interface AppOptions {
  /** Of one request body, decompressed. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** Of all request bodies in memory, of which one caller has half at most; beyond it requests get 429. Default: two of the largest. */
  readonly maxBodiesBytes?: number;
  /** Events of one request. Default 50,000. */
  readonly maxRecords?: number;
  readonly connections?: ConnectionLimits | undefined;
  readonly uploadRate?: UploadRate | undefined;
  /** How long closing waits for answers under way. Default 5 s. */
  readonly closeGraceMs?: number;
}

/** Builds the server, for production and tests alike. It listens when the caller says so. */
export async function buildApp(deps: AppDeps, options: AppOptions = {}): Promise<ApiServer> {
  const { maxBodyBytes = 32 * 2 ** 20, maxRecords = 50_000 } = options;
  const { maxBodiesBytes = 2 * (maxBodyBytes + maxRecords * RECORD_OVERHEAD_BYTES) } = options;
  const { closeGraceMs } = options;
  const app = await buildBaseApp(
    { isTemporary: isAway, refusalOf: accountRefusal, ...deps },
    {
      ...(closeGraceMs === undefined ? {} : { closeGraceMs }),
      connections: options.connections,
      uploadRate: options.uploadRate,
      metricsAccess: { by: 'admin' },
      async guard(server) {
        await server.register(openapi);
        await server.register(apiLog, { sinks: deps.requestSinks ?? [] });
        await server.register(abuseSigns, { report: deps.guard.report });
        await server.register(guard, deps.guard);
        await server.register(compression);
      },
    },
  );
  const budget = createBodyBudget(maxBodiesBytes);
  await app.register(bodyMemory, { budget });
  await app.register(async (scope) => {
    const limits = { maxBodyBytes, maxRecords, budget };
    await scope.register(eventBody, { limits });
    submitEventsRoute(scope, deps.submitEvents, limits);
  });
  const { recordChange = async () => {} } = deps.platform ?? {};
  eventRoutes(app, deps.clickhouse);
  await detectionServiceRoutes(app, deps);
  deadLetterRoutes(app, deps.clickhouse, deps.redrive, recordChange);
  if (deps.demo !== undefined) demoRoutes(app, deps.demo, recordChange);
  docsRoutes(app);
  prometheusRoute(app, deps.registry);
  if (deps.consoleFolder !== undefined) await consoleRoutes(app, { folder: deps.consoleFolder });
  if (deps.proveServer !== undefined) serverProofRoute(app, deps.proveServer);
  if (deps.stores !== undefined) healthRoute(app, deps.stores);
  if (deps.platform !== undefined) await platformRoutes(app, deps.platform);
  return app;
}

/** Errors of ClickHouse and PostgreSQL that pass by themselves, and of the shared state where a caller can't go on without it. */
function isAway(error: unknown): boolean {
  return isTemporary(error) || isDatabaseAway(error) || error instanceof SharedStateAway;
}
