import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type {} from './guard.ts';

/** Minimum response size for compression. */
const THRESHOLD_BYTES = 1024;
/**
 * Media types that are compressed. Server-sent events are excluded, because compression delays them. Downloads are
 * excluded, because their `Content-Length` shows the progress.
 */
const COMPRESSED_TYPES =
  /^(?:text\/(?!event-stream)|application\/(?:json|x-ndjson|xml|javascript)|[^;]+\+(?:json|xml))/;
/** Larger responses are compressed outside the event loop, on any number of cores. */
const SYNC_THRESHOLD_BYTES = 32 * 1024;
/** Brotli window of 256 KiB. The default of 4 MiB would cost several megabytes per compressor. */
const BROTLI_WINDOW_LOG = 18;
const BROTLI_QUALITY = 4;
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Compresses responses with brotli or gzip, as `Accept-Encoding` prefers. */
export const compression = fp(
  async (app) => {
    // Hooks of the application run before the hook of the library, which honours this header.
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
      globalDecompression: false, // routes decompress bodies themselves, within the memory limits
    });
  },
  { name: 'compression', dependencies: ['errors', 'guard'] },
);

/** Most responses are short texts and skip all other checks, here and in the library. A character has at most three bytes. */
function isShort(payload: unknown): boolean {
  return typeof payload === 'string' && payload.length * 3 < THRESHOLD_BYTES;
}

function mayCompress(request: FastifyRequest, type: string, payload: unknown): boolean {
  return COMPRESSED_TYPES.test(type) && !mayRevealSecret(request) && !isLongPoll(type, payload);
}

/**
 * The length of a compressed response reveals whether reflected input matches a secret in it (BREACH). Other sites can
 * cause requests with a session cookie, but not with a key. Responses contain secrets after sign-in and after changes
 * (new keys, webhook secrets), never in lists or records.
 */
function mayRevealSecret({ caller, method, url }: FastifyRequest): boolean {
  if (caller !== undefined && caller.kind !== 'session') return false;
  return !SAFE_METHODS.has(method) || /^\/(?:api\/)?auth\//.test(url);
}

/** A streamed JSON body begins with spaces that keep the connection open. A compressor would delay them. */
function isLongPoll(type: string, payload: unknown): boolean {
  return payload instanceof Readable && type.startsWith('application/json');
}
