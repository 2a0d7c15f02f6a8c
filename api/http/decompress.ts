import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { apiError } from './api-error.ts';

/** Maximum zstd window. A frame states the memory that its decoder needs; senders must stay within 8 MiB (RFC 9659). */
const ZSTD_WINDOW_LOG = 23;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
};

/** Supported encodings, for `Accept-Encoding` of a refusal. */
export const CONTENT_ENCODINGS = 'gzip, deflate, br, zstd';

/**
 * Returns the decompressed body. Nothing is read ahead of the consumer, so a consumer that counts bytes limits a
 * compression bomb. Unlike with `pipeline`, destroying the stream leaves the connection open for the response. Throws a
 * 415 for an unknown encoding or more than one.
 */
export function decompressed(body: Readable, contentEncoding: string | undefined): Readable {
  const encoding = contentEncoding?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return body;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
  if (decoder === undefined) {
    throw apiError('unsupported_media_type', `one of ${CONTENT_ENCODINGS} is expected`, 'content-encoding', {
      'accept-encoding': CONTENT_ENCODINGS,
    });
  }
  body.once('error', (error) => decoder.destroy(error));
  return body.pipe(decoder);
}

/** Returns the number of compressed bytes that have been decompressed so far. */
export function decompressedFrom(source: Readable): number {
  return (source as Readable & { readonly bytesWritten: number }).bytesWritten;
}

/** True for the zlib errors of data that does not match the encoding or ends early. */
export function isDecodingError(error: unknown): boolean {
  return /^(?:Z_|ERR_BROTLI|ERR__ERROR|ZSTD_|ERR_ZSTD)/.test((error as NodeJS.ErrnoException).code ?? '');
}
