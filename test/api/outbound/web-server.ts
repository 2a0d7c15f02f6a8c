import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface WebServer {
  readonly port: number;
  /** Everything that was asked. */
  readonly requests: IncomingMessage[];
  /** Connections that were made, whether or not something was asked on them. */
  connections(): number;
}

/** A server somewhere on the internet, until the test is over. */
export async function startWebServer(answer: RequestListener): Promise<WebServer> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, requests, connections: () => connections };
}
