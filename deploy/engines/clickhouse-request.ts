import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface EngineAddress {
  readonly socketPath: string;
  /** If set, the engine listens on this port of 127.0.0.1 instead of the socket. */
  readonly port?: number | undefined;
  readonly user: string;
  readonly password: string;
}

/**
 * Sends one query to the engine on a new connection. Resolves with status and body for any status. Never uses a proxy:
 * with NODE_USE_ENV_PROXY, `fetch` would send the password to it.
 */
export async function askEngine(
  { socketPath, port, user, password }: EngineAddress,
  query: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const to = port === undefined ? { socketPath } : { host: '127.0.0.1', port };
  const sent = request(
    { ...to, path: '/', method: 'POST', auth: `${user}:${password}`, agent: false, signal },
    (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    },
  );
  sent.once('error', reject);
  sent.end(query);
  return promise;
}
