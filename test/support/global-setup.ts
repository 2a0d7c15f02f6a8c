import type { TestProject } from 'vitest/node';
import { borrowServices, findKeptServices } from './services/kept-services.ts';
import { createServices, SERVICE_NAMES } from './services/services.ts';
import { serveServices } from './services/services-server.ts';

/**
 * Once a run: the services. A run of everything starts them at once, in parallel, while the first unit tests run; a run of
 * chosen files starts only what these ask for. Outside CI a run uses the services that `npm run test:services` keeps.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kept = process.env.CI ? undefined : await findKeptServices();
  const services = kept === undefined ? createServices() : borrowServices(kept);
  const server = await serveServices(services);
  project.provide('servicesUrl', server.url);
  const chosen = project.vitest.state.getPaths();
  const everything = await project.vitest.globTestSpecifications();
  if (chosen.length >= everything.length) for (const name of SERVICE_NAMES) services.get(name).catch(() => {});
  return async () => {
    await server.close();
    await services.stop();
  };
}
