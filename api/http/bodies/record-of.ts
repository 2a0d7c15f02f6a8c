import type { FastifyRequest } from 'fastify';
import { actorOf, userOf } from '../access/caller.ts';
import { redactText } from '../redact.ts';
import type { RequestRecord } from '../request-record.ts';
import { routeName } from '../route-name.ts';

const MAX_PATH = 1_024;
const MAX_USER_AGENT = 512;
const REMEMBERED_USER_AGENTS = 500;

/** Creates the record of a completed request. Paths and user agents are redacted, because people paste keys anywhere. */
export function createRecordOf() {
  const userAgents = new Map<string, string>();

  return (
    request: FastifyRequest,
    { status, bytes, durationMs }: { readonly status: number; readonly bytes: number; readonly durationMs: number },
  ): RequestRecord => {
    const { caller, scraped } = request;
    return {
      timeMs: Date.now(),
      requestId: request.id,
      method: request.method,
      route: routeName(request.routeOptions.url),
      path: pathOf(request),
      status,
      durationMs,
      ip: request.clientAddress || request.ip,
      userAgent: userAgentOf(request),
      actor: actorOf(caller),
      userId: (caller && userOf(caller)) ?? null,
      keyId: caller !== undefined && caller.kind !== 'session' ? caller.keyId : null,
      bytes,
      scraper: scraped?.scraper ?? null,
      cache: scraped?.cache ?? null,
    };
  };

  /** Cached, because few distinct values occur. */
  function userAgentOf(request: FastifyRequest): string {
    const raw = (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT);
    const known = userAgents.get(raw);
    if (known !== undefined) return known;
    const redacted = redactText(raw);
    if (userAgents.size >= REMEMBERED_USER_AGENTS) userAgents.clear();
    userAgents.set(raw, redacted);
    return redacted;
  }
}

/** Returns the path without the query. A route without parameters is its own path. */
function pathOf(request: FastifyRequest): string {
  const { url } = request.routeOptions;
  if (url !== undefined && !url.includes(':') && !url.includes('*')) return url;
  const raw = request.raw.url ?? '';
  const end = raw.search(/[?#]/);
  return redactText(raw.slice(0, Math.min(end < 0 ? raw.length : end, MAX_PATH)));
}
