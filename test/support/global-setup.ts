import type { TestProject } from 'vitest/node';
import { borrowServices, findKeptServices } from './services/kept-services.ts';
import { createServices, SERVICE_NAMES } from './services/services.ts';
import { serveServices } from './services/services-server.ts';

/**
 * Starts the services once for a run. A run of all tests starts them at the beginning, in parallel with the first unit
 * tests. A run of chosen files starts only the services that these files request. Outside CI, a run uses the services
 * that `npm run test:services` keeps running.
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
