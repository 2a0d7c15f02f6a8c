import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import type { Database } from '#api/postgres/database.ts';
import type { SystemSamples } from '../system-samples.ts';
import { pipelineDashboard } from './pipeline.ts';
import { queueDashboard } from './queue.ts';
import { requestDashboards } from './requests.ts';
import { systemDashboard } from './system.ts';

export interface DashboardDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly samples: SystemSamples;
}

/** GET /api/dashboard/*. */
export function dashboardRoutes(app: ApiServer, deps: DashboardDeps): void {
  systemDashboard(app, deps);
  requestDashboards(app, deps);
  pipelineDashboard(app, deps);
  queueDashboard(app, deps);
}
