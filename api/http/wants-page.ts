import type { FastifyRequest } from 'fastify';

/** Whether a person asks with a browser: it prefers a page to JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}
