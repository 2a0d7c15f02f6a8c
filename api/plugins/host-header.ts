import fp from 'fastify-plugin';
import { apiError } from '../http/api-error.ts';

/** HTTP/1.1 wants the header `host` (RFC 9112, 3.2). Stands behind the guard, so that such requests are counted and recorded like others. */
export const hostHeader = fp(
  async (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const missing = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
      done(missing ? apiError('required', 'HTTP/1.1 requires this header', 'host') : undefined);
    });
  },
  { name: 'host-header' },
);
