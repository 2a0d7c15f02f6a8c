import type { ApiServer } from '#api/http/api-server.ts';
import { type TeamRoutesDeps, teamRoutes } from './routes/teams.ts';

/** What the routes of teams need. Grants have their routes beside the workflows and agents that they are on. */
export type SharingDeps = TeamRoutesDeps;

/** Adds the routes of teams. */
export function registerSharing(app: ApiServer, deps: SharingDeps): void {
  teamRoutes(app, deps);
}
