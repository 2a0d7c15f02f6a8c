import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type {} from './guard.ts';

/** Answers below this size gain nothing from compression. */
const THRESHOLD_BYTES = 1024;
/** Server-sent events are excluded: compression would hold them back. So are downloads, whose `Content-Length` shows the progress. */
const COMPRESSED_TYPES =
  /^(?:text\/(?!event-stream)|application\/(?:json|x-ndjson|xml|javascript)|[^;]+\+(?:json|xml))/;
/** Larger answers are compressed outside the event loop, whatever the number of cores. */
const SYNC_THRESHOLD_BYTES = 32 * 1024;
/** Window of 256 KiB: with the default of 4 MiB each compressor would take several megabytes. */
const BROTLI_WINDOW_LOG = 18;
const BROTLI_QUALITY = 4;
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Compresses answers with brotli or gzip, as `Accept-Encoding` prefers. */
export const compression = fp(
  async (app) => {
    // Hooks of the application run before the hook of the library, which obeys this header.
    app.addHook('onSend', (request, reply, payload, done) => {
      if (isShort(payload) || !mayCompress(request, String(reply.getHeader('content-type') ?? ''), payload))
        request.headers['x-no-compression'] = 'true';
      done(null, payload);
    });
    await app.register(compress, {
      threshold: THRESHOLD_BYTES,
      syncThreshold: SYNC_THRESHOLD_BYTES,
      brotliOptions: {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_LOG,
        },
      },
      encodings: ['br', 'gzip'],
      customTypes: COMPRESSED_TYPES,
      globalDecompression: false, // bodies are decompressed by the routes, within the limits on memory
    });
  },
  { name: 'compression', dependencies: ['errors', 'guard'] },
);

/** Most answers are short texts: they need none of the other checks, here and in the library. A character has three bytes at most. */
function isShort(payload: unknown): boolean {
  return typeof payload === 'string' && payload.length * 3 < THRESHOLD_BYTES;
}

function mayCompress(request: FastifyRequest, type: string, payload: unknown): boolean {
  return COMPRESSED_TYPES.test(type) && !mayRevealSecret(request) && !isLongPoll(type, payload);
}

/**
 * The length of a compressed answer reveals whether reflected input repeats a secret in it (BREACH). Other sites can cause requests with the cookie of a
 * session but not with a key. Secrets appear in answers to sign-in and in answers to changes (new keys, webhook secrets), never in lists or records.
 */
function mayRevealSecret({ caller, method, url }: FastifyRequest): boolean {
  if (caller !== undefined && caller.kind !== 'session') return false;
  return !SAFE_METHODS.has(method) || /^\/(?:api\/)?auth\//.test(url);
}

/** A JSON body that is sent as a stream begins with spaces that keep the connection open; a compressor would hold them back. */
function isLongPoll(type: string, payload: unknown): boolean {
  return payload instanceof Readable && type.startsWith('application/json');
}
