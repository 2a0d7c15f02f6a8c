import { isIP } from 'node:net';
import { isLoopback } from '../config/loopback.ts';

/**
 * Returns `fetch` for this URL. Requests to this machine bypass any proxy (NODE_USE_ENV_PROXY), because they carry the
 * operator key, and a remote proxy could not reach the server.
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
