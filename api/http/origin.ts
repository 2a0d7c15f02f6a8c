import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from './request-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address by the rules for trusted proxies. `request.ip` is the peer of the connection. */
    clientAddress: string;
  }
}

const MAX_USER_AGENT = 512;

/** Returns the origin of a request. */
export function originOf(request: FastifyRequest): RequestOrigin {
  return {
    ip: request.clientAddress,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
    requestId: request.id,
  };
}
