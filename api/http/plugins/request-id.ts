import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fp from 'fastify-plugin';

const KEPT = /^[\w-]{8,128}$/;

/** An id that came in is kept when it is harmless, so that one id runs through all systems a request passes. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && KEPT.test(given) ? given : randomUUID();
}

/** Every answer says which request it belongs to. */
export const requestId = fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      done();
    });
  },
  { name: 'request-id' },
);
