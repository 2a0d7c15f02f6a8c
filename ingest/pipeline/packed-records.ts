import { type StoredText, storedSize, storeText } from '#analytics/clickhouse/native/stored-text.ts';
import type { MemoryPool } from './memory-pool.ts';
import { bytesOf, type PipelineRecord } from './pipeline-record.ts';

/**
 * The records of a chunk in one piece of memory, which a lane keeps until they have landed: an object and two Buffers for each would be as
 * much again, and be copied by the garbage collector over and over. The values stand behind one another as the column `raw` of an
 * insert has them, the keys behind the last of them. It holds nothing but memory, and so can be handed to another thread without a copy.
 */
export interface PackedChunk {
  readonly memory: Uint8Array;
  /** Of each record its offset, where its value and key end, and how long they are: see `columnsOf`. */
  readonly index: ArrayBuffer;
  /** Absent when no record has one. */
  readonly ingestIds: readonly string[] | undefined;
  readonly length: number;
  /** What the chunk is accounted with. */
  readonly bytes: number;
}

/** What is asked of a chunk's records. */
export interface PackedRecords {
  readonly length: number;
  offset(index: number): number;
  /** A view, like `key`: valid until the memory is released. */
  value(index: number): Buffer | null;
  /** Bytes of the value; -1 for a record without one. */
  size(index: number): number;
  /** The value behind its length. Only where there is a value. */
  stored(index: number): StoredText;
  key(index: number): Buffer | null;
  ingestId(index: number): string;
  /** No view is in use any more: the memory may be used for other records. */
  release(): void;
}

const NONE = -1;
const INDEX_BYTES_A_RECORD = 24;

/** The columns of a chunk's index, each with an entry a record. */
function columnsOf(index: ArrayBuffer, length: number) {
  return {
    offsets: new Float64Array(index, 0, length),
    /** Where the stored value of each ends: it begins where the one before it ends. */
    ends: new Uint32Array(index, 8 * length, length),
    valueLengths: new Int32Array(index, 12 * length, length),
    keyEnds: new Uint32Array(index, 16 * length, length),
    keyLengths: new Int32Array(index, 20 * length, length),
  };
}

export function packRecords(records: readonly PipelineRecord[], pool: MemoryPool): PackedChunk {
  const { length } = records;
  let valueBytes = 0;
  let keyBytes = 0;
  let withIds = false;
  for (const { key, value, ingestId } of records) {
    if (value !== null) valueBytes += storedSize(value.length);
    if (key !== null) keyBytes += key.length;
    if (ingestId !== '') withIds = true;
  }
  const memory = pool.take(valueBytes + keyBytes);
  const index = new ArrayBuffer(INDEX_BYTES_A_RECORD * length);
  const { offsets, ends, valueLengths, keyEnds, keyLengths } = columnsOf(index, length);

  let at = 0;
  let keyAt = valueBytes;
  for (let i = 0; i < length; i++) {
    const { offset, key, value } = records[i] as PipelineRecord;
    offsets[i] = offset;
    if (value !== null) at = storeText(value, memory, at);
    ends[i] = at;
    valueLengths[i] = value === null ? NONE : value.length;
    if (key !== null) {
      memory.set(key, keyAt);
      keyAt += key.length;
    }
    keyEnds[i] = keyAt;
    keyLengths[i] = key === null ? NONE : key.length;
  }
  const ingestIds = withIds ? records.map(({ ingestId }) => ingestId) : undefined;
  return { memory, index, ingestIds, length, bytes: bytesOf(records) };
}

/** Reads a chunk where it lies. `giveBack` gets its memory when it is released. */
export function readPacked(chunk: PackedChunk, giveBack: (memory: Buffer) => void): PackedRecords {
  const { index, ingestIds, length } = chunk;
  const memory = Buffer.from(chunk.memory.buffer, chunk.memory.byteOffset, chunk.memory.byteLength);
  const { offsets, ends, valueLengths, keyEnds, keyLengths } = columnsOf(index, length);

  function view(end: number, size: number): Buffer | null {
    return size === NONE ? null : memory.subarray(end - size, end);
  }

  return {
    length,
    offset: (index) => offsets[index] as number,
    value: (index) => view(ends[index] as number, valueLengths[index] as number),
    size: (index) => valueLengths[index] as number,
    stored: (index) => ({ memory, from: index === 0 ? 0 : (ends[index - 1] as number), to: ends[index] as number }),
    key: (index) => view(keyEnds[index] as number, keyLengths[index] as number),
    ingestId: (index) => ingestIds?.[index] ?? '',
    release: () => giveBack(memory),
  };
}
