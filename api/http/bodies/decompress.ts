import type { Readable } from 'node:stream';
import { apiError } from '../api-error.ts';
import { createContentDecoder } from './content-decoder.ts';

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
  const decoder = createContentDecoder(encoding);
  if (decoder === undefined) {
    throw apiError('unsupported_media_type', `must be one of ${CONTENT_ENCODINGS}`, 'content-encoding', {
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
