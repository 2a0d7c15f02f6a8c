import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { detectionRoutes } from '#api/detections/routes/detections.ts';
import { detectionSummaryRoute } from '#api/detections/routes/detections-summary.ts';
import { eventSummaryRoute } from '#api/detections/routes/events-summary.ts';
import { backtestRoute } from '#api/detections/settings/backtest-route.ts';
import type { ChangeRule } from '#api/detections/settings/change-rule.ts';
import { exceptionRoutes } from '#api/detections/settings/exception-routes.ts';
import type { Exceptions } from '#api/detections/settings/exceptions.ts';
import { ruleChangeRoute } from '#api/detections/settings/rule-change-route.ts';
import { ruleRoutes } from '#api/detections/settings/rule-routes.ts';
import { createDetectionStreams } from '#api/detections/stream/detection-stream.ts';
import { detectionStreamRoute } from '#api/detections/stream/route.ts';
import type { ChangeDecisions } from '#api/detections/triage/change-decisions.ts';
import { detectionChangeRoutes } from '#api/detections/triage/routes.ts';
import type { Database } from '#api/postgres/database.ts';
import { activityRoutes } from '#api/telemetry/routes/activity.ts';
import type { ApiServer } from './http/api-server.ts';

/** What the routes of the detection service need beside ClickHouse, to change anything. */
export interface DetectionServiceDeps {
  readonly database: Database;
  readonly changeDecisions: ChangeDecisions;
  readonly changeRule: ChangeRule;
  readonly exceptions: Exceptions;
}

/** Detections, rules and exceptions: each line adds the routes of one subject. */
export async function detectionServiceRoutes(
  app: ApiServer,
  {
    clickhouse,
    rules,
    detectionService,
    logger,
  }: {
    readonly clickhouse: ClickHouse;
    readonly rules: DetectionSettings;
    readonly detectionService?: DetectionServiceDeps | undefined;
    readonly logger: FastifyBaseLogger;
  },
): Promise<void> {
  detectionRoutes(app, clickhouse, detectionService?.database);
  detectionSummaryRoute(app, clickhouse);
  eventSummaryRoute(app, clickhouse);
  detectionStreamRoute(app, { streams: createDetectionStreams({ clickhouse, logger }) });
  activityRoutes(app, clickhouse);
  ruleRoutes(app, rules, detectionService?.database);
  if (detectionService === undefined) return;
  const deps = { ...detectionService, clickhouse, base: rules };
  detectionChangeRoutes(app, deps);
  ruleChangeRoute(app, deps);
  backtestRoute(app, deps);
  exceptionRoutes(app, deps);
}
