import type { ApiServer } from '#api/http/api-server.ts';
import { type TeamRoutesDeps, teamRoutes } from './routes/teams.ts';

/** Dependencies of the team routes. The routes of grants are registered with workflows and agents. */
export type SharingDeps = TeamRoutesDeps;

/** Registers the routes of teams. */
export function registerSharing(app: ApiServer, deps: SharingDeps): void {
  teamRoutes(app, deps);
}
