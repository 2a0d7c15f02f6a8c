import fp from 'fastify-plugin';
import { apiError } from '../http/api-error.ts';

/** Once the server is told to close, requests under way are finished, and new ones on kept connections are sent elsewhere. */
export const gracefulClose = fp(
  async (app) => {
    let closing = false;
    app.addHook('preClose', async () => {
      closing = true;
    });
    app.addHook('onRequest', async () => {
      if (closing)
        throw apiError('unavailable', 'the server is shutting down', undefined, {
          connection: 'close',
          'retry-after': '5',
        });
    });
    app.addHook('onSend', async (_request, reply) => {
      if (closing) reply.header('connection', 'close');
    });
  },
  { name: 'graceful-close' },
);
