import type { IncomingMessage } from 'node:http';
import fp from 'fastify-plugin';
import { apiError } from '../api-error.ts';
import { hasBody } from '../has-body.ts';

export interface UploadRate {
  /** Bytes per second that a body must arrive with, on average over each grace time. Default 1 KiB. */
  readonly bytesPerSecond?: number;
  /** Default 10 s. */
  readonly graceMs?: number;
}

interface Upload {
  /** Read from the connection when the present grace time began. */
  bytesBefore: number;
  /** How long nothing was there to be read within it, ms. */
  waitedMs: number;
}

const LOOKS_A_GRACE_TIME = 10;
const MAX_LOOK_MS = 1_000;

/**
 * Ends requests whose body arrives too slowly with 408 and closes their connection: a sender that stalls would keep memory, a
 * connection and a handler until the time of the whole request is over. Time in which bytes wait to be read does not count: then
 * the server is the slow side.
 */
export const uploadRate = fp<UploadRate>(
  async (app, { bytesPerSecond = 1_024, graceMs = 10_000 }) => {
    const uploads = new Map<IncomingMessage, Upload>();
    const lookMs = Math.min(MAX_LOOK_MS, graceMs / LOOKS_A_GRACE_TIME);
    const watching = setInterval(() => {
      for (const [body, upload] of uploads) look(body, upload);
    }, lookMs).unref();
    app.addHook('onClose', async () => clearInterval(watching));
    app.addHook('onRequest', (request, _reply, done) => {
      const { raw } = request;
      if (hasBody(raw)) {
        uploads.set(raw, { bytesBefore: raw.socket.bytesRead, waitedMs: 0 });
        raw.once('close', () => uploads.delete(raw));
      }
      done();
    });

    function look(body: IncomingMessage, upload: Upload): void {
      if (body.complete || body.destroyed) {
        uploads.delete(body);
        return;
      }
      if (body.readableLength > 0) return;
      upload.waitedMs += lookMs;
      if (upload.waitedMs < graceMs) return;
      const arrived = body.socket.bytesRead - upload.bytesBefore;
      if (arrived < (bytesPerSecond * graceMs) / 1_000) {
        uploads.delete(body);
        end(body);
      } else {
        uploads.set(body, { bytesBefore: body.socket.bytesRead, waitedMs: 0 });
      }
    }

    /** The reader of the body responds with its error. A body without a reader belongs to a request that has its response already. */
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
