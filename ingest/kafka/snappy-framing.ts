import { compress, uncompress } from 'snappyjs';

/**
 * Kafka's snappy uses the framing of xerial's snappy-java: this header (magic, version 1, lowest compatible version 1),
 * then blocks, each preceded by its length in four bytes, big-endian. Some clients write one bare block instead;
 * readers accept both.
 */
const HEADER = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
const MAGIC_BYTES = 8;
/** Block size of snappy-java. Its reader accepts any size. */
const BLOCK_BYTES = 32 * 1024;

export function compressSnappy(bytes: Buffer): Buffer {
  const parts: Buffer[] = [HEADER];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const block = compress(bytes.subarray(at, at + BLOCK_BYTES));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat(parts);
}

/** @throws Error if the data is damaged or would expand beyond `maxBytes` */
export function uncompressSnappy(bytes: Buffer, maxBytes: number): Buffer {
  if (!bytes.subarray(0, MAGIC_BYTES).equals(HEADER.subarray(0, MAGIC_BYTES))) return uncompress(bytes, maxBytes);
  const parts: Buffer[] = [];
  let total = 0;
  for (let at = HEADER.length; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    at += 4;
    if (at + length > bytes.length) throw new Error('snappy: a block is truncated');
    const part = uncompress(bytes.subarray(at, at + length), maxBytes - total);
    parts.push(part);
    total += part.length;
    at += length;
  }
  return Buffer.concat(parts, total);
}
