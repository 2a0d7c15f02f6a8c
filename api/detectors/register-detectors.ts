import type { ApiServer } from '#api/http/api-server.ts';
import { type DetectorRoutesDeps, detectorRoutes } from './routes/detectors.ts';
import { type EnrolmentRoutesDeps, enrolmentRoutes } from './routes/enrolment.ts';

/** Dependencies of the detector routes. */
export interface DetectorsDeps extends EnrolmentRoutesDeps, DetectorRoutesDeps {}

/** Registers the routes of detectors: enrolment of hosts, their status and their list. */
export function registerDetectors(app: ApiServer, deps: DetectorsDeps): void {
  enrolmentRoutes(app, deps);
  detectorRoutes(app, deps);
}
