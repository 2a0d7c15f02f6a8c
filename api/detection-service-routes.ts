import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { ApiServer } from './http/api-server.ts';
import { activityRoutes } from './routes/activity.ts';
import { detectionChangeRoutes } from './routes/detections/changes.ts';
import { detectionSummaryRoute } from './routes/detections/summary.ts';
import { detectionRoutes } from './routes/detections.ts';
import { rulesRoute } from './routes/rules.ts';
import type { Database } from './store/database.ts';
import type { ChangeDecisions } from './triage/change-decisions.ts';

/** What the routes of the detection service need beside ClickHouse, to change anything. */
export interface DetectionServiceDeps {
  readonly database: Database;
  readonly changeDecisions: ChangeDecisions;
}

/** Detections, rules and exceptions: each line adds the routes of one subject. */
export async function detectionServiceRoutes(
  app: ApiServer,
  {
    clickhouse,
    rules,
    detectionService,
  }: {
    readonly clickhouse: ClickHouse;
    readonly rules: DetectionSettings;
    readonly detectionService?: DetectionServiceDeps | undefined;
  },
): Promise<void> {
  detectionRoutes(app, clickhouse, detectionService?.database);
  detectionSummaryRoute(app, clickhouse);
  activityRoutes(app, clickhouse);
  rulesRoute(app, rules);
  if (detectionService === undefined) return;
  detectionChangeRoutes(app, { ...detectionService, clickhouse });
}
