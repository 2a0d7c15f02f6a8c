import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface WebServer {
  readonly port: number;
  /** All requests received. */
  readonly requests: IncomingMessage[];
  /** Connections that were opened, with or without a request. */
  connections(): number;
}

/** A server on the internet as seen by the product, closed at the end of the test. */
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
