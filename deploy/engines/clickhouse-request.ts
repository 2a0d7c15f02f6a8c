import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface EngineAddress {
  readonly socketPath: string;
  readonly user: string;
  readonly password: string;
}

/**
 * Sends one query over the engine's Unix socket, on a connection of its own. Resolves with status and body, whatever the status.
 * Never uses a proxy: NODE_USE_ENV_PROXY would send the password of a `fetch` to it.
 */
export async function askEngine(
  { socketPath, user, password }: EngineAddress,
  query: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const sent = request(
    { socketPath, path: '/', method: 'POST', auth: `${user}:${password}`, agent: false, signal },
    (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    },
  );
  sent.once('error', reject);
  sent.end(query);
  return promise;
}
