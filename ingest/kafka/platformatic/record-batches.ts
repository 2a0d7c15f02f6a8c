import type { KafkaRecord, TopicPartition } from '../port.ts';
import type { FetchedPartition } from './fetch-response.ts';

/** Uncompresses the records of a batch. `codec`: the number in the attributes of the batch. */
export type Uncompress = (codec: number, records: Buffer) => Promise<Buffer>;

export interface ReadRecords {
  /** In offset order, without those below the wanted offset, those of aborted transactions, and markers. */
  readonly records: readonly KafkaRecord[];
  /** The offset after the last whole batch; the wanted one when there is no whole batch. */
  readonly nextOffset: number;
}

/** The client received bytes that are no record batch. */
export class UnreadableBatch extends Error {
  override readonly name = 'UnreadableBatch';
}

const HEADER_BYTES = 61;
const PREFIX_BYTES = 12;
const CODEC = 0b111;
const TRANSACTIONAL = 1 << 4;
const CONTROL = 1 << 5;

/** Reads the record batches of one partition from `wanted` on. */
export async function readRecordBatches(
  at: TopicPartition,
  { batches, aborted }: Pick<FetchedPartition, 'batches' | 'aborted'>,
  wanted: number,
  uncompress: Uncompress,
): Promise<ReadRecords> {
  const records: KafkaRecord[] = [];
  const transactions = abortedTransactions(aborted);
  let nextOffset = wanted;
  for (let start = 0; start + PREFIX_BYTES <= batches.length; ) {
    const end = start + PREFIX_BYTES + batches.readInt32BE(start + 8);
    if (end > batches.length) break;
    if (end < start + HEADER_BYTES || batches[start + 16] !== 2)
      throw new UnreadableBatch(`${at.topic}/${at.partition}: no record batch of format 2 after offset ${nextOffset}`);
    const firstOffset = Number(batches.readBigInt64BE(start));
    const attributes = batches.readInt16BE(start + 21);
    const lastOffset = firstOffset + batches.readInt32BE(start + 23);
    const codec = attributes & CODEC;
    const stored = batches.subarray(start + HEADER_BYTES, end);
    const isKept = transactions.keeps({
      isTransactional: (attributes & TRANSACTIONAL) !== 0,
      isControl: (attributes & CONTROL) !== 0,
      producerId: batches.readBigInt64BE(start + 43),
      lastOffset,
    });
    if (isKept && lastOffset >= wanted) {
      const count = batches.readInt32BE(start + 57);
      readRecords(at, codec === 0 ? stored : await uncompress(codec, stored), { firstOffset, count, wanted }, records);
    }
    nextOffset = Math.max(nextOffset, lastOffset + 1);
    start = end;
  }
  return { records, nextOffset };
}

interface BatchFacts {
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  readonly producerId: bigint;
  readonly lastOffset: number;
}

/**
 * Which batches count. The broker lists the aborted transactions by producer and first offset; each ends at the next marker of its
 * producer. A batch without transaction always counts, a marker never.
 */
function abortedTransactions(listed: FetchedPartition['aborted']): { keeps(batch: BatchFacts): boolean } {
  const pending = [...listed].sort((a, b) => a.firstOffset - b.firstOffset);
  const open = new Set<bigint>();
  return {
    keeps({ isTransactional, isControl, producerId, lastOffset }) {
      while (pending[0] !== undefined && pending[0].firstOffset <= lastOffset)
        open.add((pending.shift() as { producerId: bigint }).producerId);
      if (isControl) open.delete(producerId);
      return !isControl && !(isTransactional && open.has(producerId));
    },
  };
}

/** The position that `readVarint` reads at. One for all: reading is synchronous, and an object a record would cost more than the rest. */
let position = 0;

function readRecords(
  { topic, partition }: TopicPartition,
  bytes: Buffer,
  { firstOffset, count, wanted }: { readonly firstOffset: number; readonly count: number; readonly wanted: number },
  into: KafkaRecord[],
): void {
  position = 0;
  for (let left = count; left > 0; left--) {
    const length = readVarint(bytes);
    const end = position + length;
    if (length < 0 || end > bytes.length)
      throw new UnreadableBatch(`${topic}/${partition}: a record ends after its batch`);
    position++; // Attributes.
    readVarint(bytes); // Timestamp.
    const offset = firstOffset + readVarint(bytes);
    if (offset >= wanted)
      into.push({
        topic,
        partition,
        offset,
        key: readBytes(bytes),
        value: readBytes(bytes),
        headers: readHeaders(bytes),
      });
    position = end;
  }
}

const NO_HEADERS: KafkaRecord['headers'] = Object.freeze(Object.create(null));

function readHeaders(bytes: Buffer): KafkaRecord['headers'] {
  let left = readVarint(bytes);
  if (left === 0) return NO_HEADERS;
  // Without a prototype: a header may have the name of a member of Object.prototype.
  const headers: Record<string, Buffer | Buffer[]> = Object.create(null);
  for (; left > 0; left--) {
    const name = readBytes(bytes)?.toString('utf8') ?? '';
    const value = readBytes(bytes) ?? Buffer.alloc(0);
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else headers[name] = [before, value];
  }
  return headers;
}

function readBytes(bytes: Buffer): Buffer | null {
  const length = readVarint(bytes);
  if (length < 0) return null;
  const from = position;
  position += length;
  return bytes.subarray(from, position);
}

/** A signed integer of variable length, exact up to 2^52. */
function readVarint(bytes: Buffer): number {
  let byte = bytes[position++] as number;
  let zigZag = byte & 0x7f;
  for (let scale = 128; byte > 0x7f; scale *= 128) {
    byte = bytes[position++] as number;
    zigZag += (byte & 0x7f) * scale;
  }
  return zigZag % 2 === 0 ? zigZag / 2 : -(zigZag + 1) / 2;
}
