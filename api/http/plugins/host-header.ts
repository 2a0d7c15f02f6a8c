import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type ApiError, apiError } from '../api-error.ts';

const HOST = 'host';
/**
 * `uri-host [":" port]` (RFC 9110, 7.2). Commas are not allowed: they separate the values of two headers that a proxy
 * joined.
 */
const HOST_VALUE = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]+)(?::\d{1,5})?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

/**
 * Accepts only requests that name exactly one host (RFC 9112, 3.2). With several names, a proxy and this server could
 * read different ones and so route, cache or authorise the request differently. Runs after the guard, so that refused
 * requests are counted and recorded.
 */
export const hostHeader = fp(
  async (app) => {
    app.addHook('onRequest', (request, _reply, done) => done(refusalOfHost(request)));
  },
  { name: 'host-header' },
);

function refusalOfHost({ raw }: FastifyRequest): ApiError | undefined {
  const hosts = hostsOf(raw.rawHeaders);
  const [host] = hosts;
  if (host === undefined)
    return raw.httpVersion === '1.1' ? apiError('required', 'HTTP/1.1 requires this header', HOST) : undefined;
  if (hosts.length > 1)
    return apiError('invalid_value', `the header must be sent once (got ${hosts.length} of it)`, HOST);
  if (!HOST_VALUE.test(host))
    return apiError(
      'invalid_value',
      'must be a host name or address with an optional port, such as example.org:8080',
      HOST,
    );
  if (!isSameAuthority(raw.url ?? '/', host))
    return apiError('invalid_value', 'must be the host of the request target, which is in absolute form', HOST);
  return undefined;
}

/** Returns the values of all headers with this name. Names and values alternate in the raw headers. */
function hostsOf(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts.push(rawHeaders[at + 1] ?? '');
  }
  return hosts;
}

/** True unless the target is in absolute form and its host differs from the header. */
function isSameAuthority(target: string, host: string): boolean {
  if (target.startsWith('/') || target === '*') return true;
  const authority = /^(https?:)\/\/([^/?#]*)/i.exec(target);
  if (authority === null) return false;
  const [, scheme = '', named = ''] = authority;
  const port = DEFAULT_PORTS[scheme.toLowerCase()] ?? '';
  const withPort = (name: string) => (/:\d+$/.test(name) ? name : name + port).toLowerCase();
  return withPort(named) === withPort(host);
}
