const MAGIC = 0x184d2204;
const SKIPPABLE_MAGIC = 0x184d2a50;
/** Maximum sizes of blocks by their code in the frame descriptor (LZ4 frame format, "BD byte"). */
const BLOCK_BYTES: Readonly<Record<number, number>> = { 4: 2 ** 16, 5: 2 ** 18, 6: 2 ** 20, 7: 2 ** 22 };
/** A byte of compressed data expands to at most 255 bytes. */
const MAX_RATIO = 255;
const STORED = 0x80000000;

/**
 * Returns the maximum size of LZ4 frames after decompression, without decompressing them.
 * @throws Error if the data is damaged
 */
export function maxLz4Bytes(bytes: Buffer): number {
  let total = 0;
  for (let at = 0; at < bytes.length; ) {
    const magic = bytes.readUInt32LE(at);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      at += 8 + bytes.readUInt32LE(at + 4);
      continue;
    }
    if (magic !== MAGIC) throw new Error('lz4: this is not a frame');
    const flags = bytes.readUInt8(at + 4);
    const blockBytes = BLOCK_BYTES[(bytes.readUInt8(at + 5) >> 4) & 0x7];
    if (blockBytes === undefined) throw new Error('lz4: the size of blocks is not valid');
    const [blockChecksum, contentSize, contentChecksum, dictionary] = [0x10, 0x08, 0x04, 0x01].map(
      (flag) => (flags & flag) !== 0,
    );
    at += 7 + (contentSize ? 8 : 0) + (dictionary ? 4 : 0);
    for (let size = bytes.readUInt32LE(at); size !== 0; size = bytes.readUInt32LE(at)) {
      const stored = (size & STORED) !== 0;
      const length = (size & ~STORED) >>> 0;
      total += stored ? length : Math.min(blockBytes, length * MAX_RATIO);
      at += 4 + length + (blockChecksum ? 4 : 0);
    }
    at += 4 + (contentChecksum ? 4 : 0);
  }
  return total;
}
