import type { IncomingMessage } from 'node:http';
import fp from 'fastify-plugin';
import { apiError } from '../api-error.ts';
import { hasBody } from '../bodies/has-body.ts';

export interface UploadRate {
  /** Minimum bytes per second of a body, averaged over each grace period. Default 1 KiB. */
  readonly bytesPerSecond?: number;
  /** Length of a grace period. Default 10 s. */
  readonly graceMs?: number;
}

interface Upload {
  /** Bytes read from the connection before the present grace period. */
  bytesBefore: number;
  /** Time in the grace period during which no data was available to read, ms. */
  waitedMs: number;
}

const CHECKS_PER_GRACE_PERIOD = 10;
const MAX_CHECK_INTERVAL_MS = 1_000;

/**
 * Refuses requests whose body arrives too slowly with 408 and closes their connection. A stalled sender would occupy
 * memory, a connection and a handler until the request time-out. Time during which received bytes wait to be read does
 * not count, because then the server is slow.
 */
export const uploadRate = fp<UploadRate>(
  async (app, { bytesPerSecond = 1_024, graceMs = 10_000 }) => {
    const uploads = new Map<IncomingMessage, Upload>();
    const checkIntervalMs = Math.min(MAX_CHECK_INTERVAL_MS, graceMs / CHECKS_PER_GRACE_PERIOD);
    const watching = setInterval(() => {
      for (const [body, upload] of uploads) checkRate(body, upload);
    }, checkIntervalMs).unref();
    app.addHook('onClose', async () => clearInterval(watching));
    app.addHook('onRequest', (request, _reply, done) => {
      const { raw } = request;
      if (hasBody(raw)) {
        uploads.set(raw, { bytesBefore: raw.socket.bytesRead, waitedMs: 0 });
        raw.once('close', () => uploads.delete(raw));
      }
      done();
    });

    function checkRate(body: IncomingMessage, upload: Upload): void {
      if (body.complete || body.destroyed) {
        uploads.delete(body);
        return;
      }
      if (body.readableLength > 0) return;
      upload.waitedMs += checkIntervalMs;
      if (upload.waitedMs < graceMs) return;
      const arrived = body.socket.bytesRead - upload.bytesBefore;
      if (arrived < (bytesPerSecond * graceMs) / 1_000) {
        uploads.delete(body);
        end(body);
      } else {
        uploads.set(body, { bytesBefore: body.socket.bytesRead, waitedMs: 0 });
      }
    }

    /**
     * The reader of the body responds with its error. A body without a reader belongs to a request that already has its
     * response.
     */
    function end(body: IncomingMessage): void {
      if (body.listenerCount('error') > 0) body.emit('error', tooSlow());
      else body.socket.destroy();
    }

    function tooSlow() {
      return apiError(
        'request_timeout',
        `the body must arrive with at least ${bytesPerSecond} bytes per second; none of it was accepted`,
        undefined,
        { connection: 'close' },
      );
    }
  },
  { name: 'upload-rate' },
);
