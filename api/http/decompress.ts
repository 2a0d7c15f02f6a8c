import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { apiError } from './api-error.ts';

/** A frame names the memory that its decoder takes; 8 MiB is what senders must keep to (RFC 9659). */
const ZSTD_WINDOW_LOG = 23;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
};

/** The names for `Accept-Encoding` of a refusal. */
export const CONTENT_ENCODINGS = 'gzip, deflate, br, zstd';

/**
 * The decompressed body. Nothing is read ahead of the consumer, so the consumer bounds what a compression bomb unfolds into:
 * counts. Unlike with `pipeline`, destroying it leaves the connection open for the answer. Throws 415 for an encoding that
 * is not known, or more than one.
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

/** Compressed bytes of which the decompressed body is known by now. */
export function decompressedFrom(source: Readable): number {
  return (source as Readable & { readonly bytesWritten: number }).bytesWritten;
}

/** What zlib says of bytes that are not what the encoding promised, or end too early. */
export function isDecodingError(error: unknown): boolean {
  return /^(?:Z_|ERR_BROTLI|ERR__ERROR|ZSTD_|ERR_ZSTD)/.test((error as NodeJS.ErrnoException).code ?? '');
}
