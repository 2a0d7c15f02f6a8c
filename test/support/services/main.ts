import { once } from 'node:events';
import { announceKeptServices } from './kept-services.ts';
import { createServices } from './services.ts';
import { serveServices } from './services-server.ts';

/**
 * `npm run test:services`: keeps the services running that test runs of this checkout request, until it is interrupted.
 */
const services = createServices();
const server = await serveServices(services);
const withdraw = await announceKeptServices(server.url);
process.stdout.write('Test services are kept for the runs of this checkout. End them with Ctrl-C.\n');
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await withdraw();
await server.close();
await services.stop();
process.exit(0);
