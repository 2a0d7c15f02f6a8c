import { Agent, createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const CHECK_EVERY_MS = 100;

/**
 * Starts a reverse proxy in front of processes of this machine, by their ports. It keeps connections open, never
 * retries, and sends requests to the processes whose `/readyz` responds with 200, as a Kubernetes Service does.
 */
export async function startBalancer(upstreams: readonly number[]) {
  const agent = new Agent({ keepAlive: true });
  let ready: readonly number[] = [];
  let turn = 0;
  const check = async (): Promise<void> => {
    const states = await Promise.all(upstreams.map(isReady));
    ready = upstreams.filter((_port, index) => states[index]);
  };
  // Checks before the first request: a balancer without a ready process refuses all requests.
  await check();
  const over = new AbortController();
  const checking = (async () => {
    while (!over.signal.aborted) {
      await check();
      await delay(CHECK_EVERY_MS);
    }
  })();
  const forward: RequestListener = (request, response) => {
    const refuse = (error: Error) => void response.writeHead(502).end(error.message);
    const port = ready[turn++ % ready.length];
    if (port === undefined) return refuse(new Error('no process is ready'));
    const { url: target = '/', method, headers } = request;
    const relay = (answer: IncomingMessage): void => {
      const { connection: _hop, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
    };
    request.pipe(send({ port, path: target, method, headers, agent }, relay).once('error', refuse));
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready,
    async close() {
      over.abort();
      await checking;
      server.close();
      agent.destroy();
    },
  };
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}
