import { createServer } from 'node:http';
import { SERVICE_NAMES, type ServiceName, type Services, type ServiceTypes } from './services.ts';

/**
 * Serves requests of the run's worker processes for services. The first request starts a service, later requests return
 * the same one. GET /<name> responds with the addresses of the service as JSON.
 */
export async function serveServices(services: Services): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const name = SERVICE_NAMES.find((known) => `/${known}` === request.url);
    if (name === undefined) {
      response.writeHead(404).end();
      return;
    }
    services.get(name).then(
      (service) => response.end(JSON.stringify(service)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Requests a service from `serveServices`, in a worker process. */
export async function askForService<N extends ServiceName>(url: string, name: N): Promise<ServiceTypes[N]> {
  const response = await fetch(`${url}/${name}`);
  if (!response.ok) throw new Error(`the service ${name} could not start: ${await response.text()}`);
  return (await response.json()) as ServiceTypes[N];
}
