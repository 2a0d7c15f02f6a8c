import { type StoredText, storedSize, storeText } from '#analytics/clickhouse/native/stored-text.ts';
import type { MemoryPool } from './memory-pool.ts';
import { bytesOf, type PipelineRecord } from './pipeline-record.ts';

/**
 * The records of a chunk in one block of memory, kept until they have landed. One object and two Buffers per record
 * would double the memory, and the garbage collector would copy them repeatedly. Values come first, in the layout of
 * the column `raw` of an insert, then keys. A chunk can be passed to another thread without a copy.
 */
export interface PackedChunk {
  readonly memory: Uint8Array;
  /** Per record: its offset, the end positions of value and key, and their lengths. See `columnsOf`. */
  readonly index: ArrayBuffer;
  /** Absent if no record has one. */
  readonly ingestIds: readonly string[] | undefined;
  readonly length: number;
  /** Accounted size of the chunk. */
  readonly bytes: number;
}

/** Read access to the records of a chunk. */
export interface PackedRecords {
  readonly length: number;
  /** Holds the stored values of all records, one after the other. */
  readonly memory: Buffer;
  /** End of the stored value of a record in `memory`. The next stored value begins there. */
  end(index: number): number;
  offset(index: number): number;
  /** A view (as is `key`), valid until `release`. */
  value(index: number): Buffer | null;
  /** Length of the value in bytes; -1 for a record without a value. */
  size(index: number): number;
  /** The value with its length prefix. Only for records with a value. */
  stored(index: number): StoredText;
  key(index: number): Buffer | null;
  ingestId(index: number): string;
  /** Releases the memory for reuse. No view may be in use. */
  release(): void;
}

const NONE = -1;
const INDEX_BYTES_A_RECORD = 24;

/** Returns the columns of the index of a chunk, with one entry per record. */
function columnsOf(index: ArrayBuffer, length: number) {
  return {
    offsets: new Float64Array(index, 0, length),
    /** End of each stored value. A value begins where the previous one ends. */
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

/** Reads a chunk in place. On release, passes its memory to `releaseMemory`. */
export function readPacked(chunk: PackedChunk, releaseMemory: (memory: Buffer) => void): PackedRecords {
  const { index, ingestIds, length } = chunk;
  const memory = Buffer.from(chunk.memory.buffer, chunk.memory.byteOffset, chunk.memory.byteLength);
  const { offsets, ends, valueLengths, keyEnds, keyLengths } = columnsOf(index, length);

  function view(end: number, size: number): Buffer | null {
    return size === NONE ? null : memory.subarray(end - size, end);
  }

  return {
    length,
    memory,
    end: (index) => ends[index] as number,
    offset: (index) => offsets[index] as number,
    value: (index) => view(ends[index] as number, valueLengths[index] as number),
    size: (index) => valueLengths[index] as number,
    stored: (index) => ({ memory, from: index === 0 ? 0 : (ends[index - 1] as number), to: ends[index] as number }),
    key: (index) => view(keyEnds[index] as number, keyLengths[index] as number),
    ingestId: (index) => ingestIds?.[index] ?? '',
    release: () => releaseMemory(memory),
  };
}
