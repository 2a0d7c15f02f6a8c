import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A process that does nothing but answer: how long it takes to answer shows what the machine itself delays. */
const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
process.once('disconnect', () => process.exit());
