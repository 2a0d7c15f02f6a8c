import type { ApiServer } from '#api/http/api-server.ts';
import { type DashboardDeps, dashboardRoutes } from './dashboard/routes/routes.ts';
import { type SocketRouteDeps, socketRoute } from './live-feed/routes.ts';
import { statsRoutes } from './routes/stats.ts';
import { statusRoutes } from './status/routes.ts';
import type { Status } from './status/status.ts';
import type { CountView } from './views/count-view.ts';
import { pageViewsRoute } from './views/routes.ts';

export interface TelemetryDeps extends DashboardDeps, SocketRouteDeps {
  readonly countView: CountView;
  readonly readStatus: () => Promise<Status>;
}

/** Registers the routes about the service itself: system dashboard, request statistics, page views and the live feed. */
export async function registerTelemetry(app: ApiServer, deps: TelemetryDeps): Promise<void> {
  pageViewsRoute(app, deps);
  statusRoutes(app, deps.readStatus);
  statsRoutes(app, deps);
  dashboardRoutes(app, deps);
  await socketRoute(app, deps);
}
