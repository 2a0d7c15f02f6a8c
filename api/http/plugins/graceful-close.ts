import fp from 'fastify-plugin';
import { apiError } from '../api-error.ts';

/** Time after which a response in flight, such as a full export, is cut off. */
const GRACE_MS = 5_000;

export interface GracefulCloseOptions {
  readonly graceMs?: number | undefined;
  readonly isDraining: () => boolean;
}

/**
 * Closes the server gracefully. When the server closes, it finishes requests in flight and refuses new ones on kept
 * connections with `Connection: close`. While it drains, it serves requests and closes their connections, so that a
 * proxy sends no further request on them.
 */
export const gracefulClose = fp<GracefulCloseOptions>(
  async (app, { graceMs = GRACE_MS, isDraining }) => {
    let closing: NodeJS.Timeout | undefined;
    app.addHook('preClose', async () => {
      closing = setTimeout(() => app.server.closeAllConnections(), graceMs);
    });
    app.addHook('onClose', async () => clearTimeout(closing));
    app.addHook('onRequest', (_request, _reply, done) => {
      done(closing && apiError('unavailable', 'the server is shutting down', undefined, { 'retry-after': '5' }));
    });
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (closing || isDraining()) reply.header('connection', 'close');
      done(null, payload);
    });
  },
  { name: 'graceful-close' },
);
