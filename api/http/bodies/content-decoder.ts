import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/**
 * Maximum zstd window. A frame states the memory that its decoder needs. Senders must stay within 8 MiB (RFC 9659).
 */
const ZSTD_WINDOW_LOG = 23;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
};

/** Creates the decoder of a content coding, in lower case. Returns undefined for an unknown one. */
export function createContentDecoder(coding: string): Transform | undefined {
  return Object.hasOwn(DECODERS, coding) ? DECODERS[coding]?.() : undefined;
}

/** True for the zlib errors of data that does not match its content coding or ends early. */
export function isDecodingError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:Z_|ERR_BROTLI|ERR__ERROR|ZSTD_|ERR_ZSTD|ERR_BUFFER_TOO_LARGE|ERR_TRAILING_JUNK|ERR_PADDING)/.test(code);
}
