import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { ChangeRule } from './detection-settings/change-rule.ts';
import type { Exceptions } from './detection-settings/exceptions.ts';
import { createDetectionStreams } from './detection-stream/detection-stream.ts';
import type { ApiServer } from './http/api-server.ts';
import { activityRoutes } from './routes/activity.ts';
import { detectionChangeRoutes } from './routes/detections/changes.ts';
import { detectionStreamRoute } from './routes/detections/stream.ts';
import { detectionSummaryRoute } from './routes/detections/summary.ts';
import { detectionRoutes } from './routes/detections.ts';
import { eventSummaryRoute } from './routes/events/summary.ts';
import { exceptionRoutes } from './routes/exceptions.ts';
import { backtestRoute } from './routes/rules/backtest.ts';
import { ruleChangeRoute } from './routes/rules/changes.ts';
import { ruleRoutes } from './routes/rules.ts';
import type { Database } from './store/database.ts';
import type { ChangeDecisions } from './triage/change-decisions.ts';

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
