/** Records of a batch in their binary form. `recordCount` replaces the count of the batch (correction `refused-batches`). */
export type ReplacedRecords = Buffer & { readonly recordCount: number };

const NO_ATTRIBUTES = 0;
const NO_TIMESTAMP_DELTA = 0;
const NO_KEY = -1;
const NO_HEADERS = 0;

/**
 * Replaces a batch that cannot be decompressed by one record at its last offset. The value is the compressed bytes, so
 * that they become a dead letter. Otherwise the consumer would fail at this offset again after each restart.
 */
export function refusedBatch(compressed: Buffer, lastOffsetDelta: number): ReplacedRecords {
  const record = Buffer.concat([
    Buffer.from([NO_ATTRIBUTES]),
    varint(NO_TIMESTAMP_DELTA),
    varint(lastOffsetDelta),
    varint(NO_KEY),
    varint(compressed.length),
    compressed,
    varint(NO_HEADERS),
  ]);
  return Object.assign(Buffer.concat([varint(record.length), record]), { recordCount: 1 });
}

/** Encodes a signed 32-bit integer: zigzag, then seven bits a byte (Kafka protocol guide, "Protocol Primitive Types"). */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
