import type { FastifyRequest } from 'fastify';

/** True for a browser that opens an address: it accepts HTML. API clients get JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}
