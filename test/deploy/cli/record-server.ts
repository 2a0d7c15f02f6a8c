import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordServer {
  /** Settings with which a command connects to the server. */
  readonly environment: { readonly TRAPLINE_URL: string; readonly TRAPLINE_API_KEY: string };
  readonly requests: { readonly method: string; readonly url: URL; readonly body: string }[];
  close(): Promise<void>;
}

const KEY = 'k1.secret';

/**
 * Starts an HTTP server on a random port that responds with `answer`. It responds to requests without the key with the
 * same 401 error as the product.
 */
export async function startRecordServer(
  answer: (request: { url: URL; method: string; body: string }, reply: ServerResponse) => void,
): Promise<RecordServer> {
  const requests: { method: string; url: URL; body: string }[] = [];
  const server = createServer(async (request: IncomingMessage, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const seen = { method: request.method ?? '', url: new URL(request.url ?? '/', 'http://x'), body };
    requests.push(seen);
    if (request.headers['x-api-key'] === KEY) {
      answer(seen, reply);
      return;
    }
    reply.writeHead(401).end(
      JSON.stringify({
        issues: [{ field: '<root>', message: 'this key is not valid', code: 'unauthorized', severity: 'error' }],
        requestId: 'r1',
      }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    environment: { TRAPLINE_URL: `http://127.0.0.1:${port}`, TRAPLINE_API_KEY: KEY },
    requests,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
