import { isIP } from 'node:net';
import { isLoopback } from '../config/loopback.ts';

/**
 * `fetch` for this URL. Requests to this machine never go through a proxy, whatever the environment says (NODE_USE_ENV_PROXY): they carry the
 * operator key, and a proxy elsewhere cannot reach the server anyway.
 */
export async function fetchFor(url: string): Promise<typeof fetch> {
  if (!isOwnMachine(new URL(url).hostname)) return fetch;
  const { Agent } = await import('undici');
  const dispatcher = new Agent() as unknown as NonNullable<RequestInit['dispatcher']>;
  return (input, init) => fetch(input, { ...init, dispatcher });
}

function isOwnMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  return isLoopback(host) || host === '0.0.0.0' || host === '::';
}
