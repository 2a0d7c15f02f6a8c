import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Minimal HTTP server in a separate process: its response time shows the delay that the machine itself causes. */
const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
process.once('disconnect', () => process.exit());
