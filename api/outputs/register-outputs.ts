import type { ApiServer } from '#api/http/api-server.ts';
import { type OutputRoutesDeps, outputDefinitionRoutes } from './routes/definitions.ts';
import { outputDeliveryRoutes } from './routes/deliveries.ts';

/** Registers the routes for managing outputs and for viewing their deliveries. */
export function registerOutputs(app: ApiServer, deps: OutputRoutesDeps): void {
  outputDefinitionRoutes(app, deps);
  outputDeliveryRoutes(app, deps);
}
