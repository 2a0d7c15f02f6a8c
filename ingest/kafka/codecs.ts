import { promisify } from 'node:util';
import { gunzip, gzip, zstdCompress, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';
import { compressFrame, decompressFrame } from 'lz4-napi';
import { maxLz4Bytes } from './lz4-size.ts';
import { refusedBatch } from './refused-batch.ts';
import { compressSnappy, uncompressSnappy } from './snappy-framing.ts';

// Node finds only some of the named exports of this CommonJS package.
const { CompressionCodecs, CompressionTypes } = kafkajs;
type CompressionType = (typeof CompressionTypes)[keyof typeof CompressionTypes];

/** Codecs that a producer can use. Consumers decode all of them. */
export const COMPRESSIONS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

export const COMPRESSION_TYPES: Readonly<Record<Compression, CompressionType>> = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
};

/**
 * Maximum size of a decompressed record batch. The broker limits only the compressed size, so a few kilobytes can
 * expand to gigabytes. Java producers build batches of at most 1 MiB before compression.
 */
const MAX_UNCOMPRESSED_BYTES = 128 * 1024 * 1024;

interface Codec {
  compress(bytes: Buffer): Promise<Buffer>;
  uncompress(bytes: Buffer): Promise<Buffer>;
}

const limit = { maxOutputLength: MAX_UNCOMPRESSED_BYTES };
const gzipAsync = promisify(gzip);
const gunzipAsync = promisify<Buffer, typeof limit, Buffer>(gunzip);
const zstdAsync = promisify(zstdCompress);
const unzstdAsync = promisify<Buffer, typeof limit, Buffer>(zstdDecompress);

const CODECS: Readonly<Record<Exclude<Compression, 'none'>, Codec>> = {
  gzip: { compress: (bytes) => gzipAsync(bytes), uncompress: (bytes) => gunzipAsync(bytes, limit) },
  snappy: {
    compress: async (bytes) => compressSnappy(bytes),
    uncompress: async (bytes) => uncompressSnappy(bytes, MAX_UNCOMPRESSED_BYTES),
  },
  lz4: { compress: (bytes) => compressFrame(bytes), uncompress: uncompressLz4 },
  zstd: { compress: (bytes) => zstdAsync(bytes), uncompress: (bytes) => unzstdAsync(bytes, limit) },
};

/** The library has no limit of its own, so the size is bounded before it begins. */
async function uncompressLz4(bytes: Buffer): Promise<Buffer> {
  if (maxLz4Bytes(bytes) > MAX_UNCOMPRESSED_BYTES) throw new Error('lz4: the data can expand beyond the limit');
  return decompressFrame(bytes);
}

/**
 * Registers codecs with kafkajs, which includes gzip only. The packages recommended for the others fail (`lz4js`) or do
 * not build (`@kafkajs/zstd`) on current Node. A batch that cannot be decompressed becomes one record. Called by the
 * client factory; idempotent.
 */
export function registerCodecs(): void {
  const codecs: Partial<Record<CompressionType, unknown>> = CompressionCodecs;
  for (const [name, { compress, uncompress }] of Object.entries(CODECS)) {
    const codec = {
      compress: ({ buffer }: { buffer: Buffer }): Promise<Buffer> => compress(buffer),
      decompress: (buffer: Buffer, { lastOffsetDelta }: { lastOffsetDelta: number }): Promise<Buffer> =>
        uncompress(buffer).catch(() => refusedBatch(buffer, lastOffsetDelta)),
    };
    codecs[COMPRESSION_TYPES[name as Compression]] = () => codec;
  }
}
