import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  collectedMs,
  decodeRecord,
  encodeRecord,
  HEADER_BYTES,
  readHeader,
  type SpooledBatch,
} from './spool-record.ts';

export interface Spool {
  /** Appends the batch on disk. Returns false if it exceeds the limit and was not stored. */
  append(batch: SpooledBatch): Promise<boolean>;
  /** Returns the oldest batch; null if the spool is empty. */
  peek(): Promise<SpooledBatch | null>;
  /**
   * Removes the oldest batch. After a crash, batches of a segment that was not fully consumed return with the same key.
   */
  remove(): Promise<void>;
  readonly bytes: number;
  /** When the first event of the oldest batch was collected, ms since the epoch; null if the spool is empty. */
  readonly oldestMs: number | null;
  readonly isEmpty: boolean;
  close(): Promise<void>;
}

export interface SpoolOptions {
  readonly directory: string;
  /** Maximum size of all segments. When it is reached, new batches are rejected and stored ones are kept. */
  readonly maxBytes: number;
  /** A segment above this size is closed, and deleted when it is consumed. */
  readonly segmentBytes?: number;
}

interface Segment {
  readonly path: string;
  size: number;
}

const NAME = /^(\d{10})\.spool$/;

/**
 * Opens a queue of batches on disk: append-only segment files of records with length and checksum. A record that a
 * crash truncated ends its segment; it was never acknowledged. Only one process may use the directory.
 * Long: its functions share the segments and the read position.
 */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const { directory, maxBytes, segmentBytes = 1_048_576 } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const names = (await readdir(directory)).filter((name) => NAME.test(name)).sort();
  const segments: Segment[] = [];
  let nextNumber = 1;
  for (const name of names) {
    const path = join(directory, name);
    const size = await wholeBytes(path);
    nextNumber = Number(NAME.exec(name)?.[1]) + 1;
    if (size === 0) await rm(path);
    else segments.push({ path, size });
  }
  let bytes = segments.reduce((sum, { size }) => sum + size, 0);
  /** Read position in the first segment. */
  let position = 0;
  let head: { readonly batch: SpooledBatch; readonly length: number } | null = null;
  let oldestMs: number | null = null;
  let reader: FileHandle | null = null;
  let writer: { readonly file: FileHandle; readonly segment: Segment } | null = null;

  /**
   * Returns the segment to write to. Each start opens a new one, because the last segment may end with a truncated
   * record.
   */
  async function writable(): Promise<NonNullable<typeof writer>> {
    if (writer && writer.segment.size < segmentBytes) return writer;
    await writer?.file.close();
    const path = join(directory, `${String(nextNumber).padStart(10, '0')}.spool`);
    nextNumber++;
    const segment = { path, size: 0 };
    writer = { file: await open(path, 'wx', 0o600), segment };
    segments.push(segment);
    await syncDirectory(directory);
    return writer;
  }

  async function dropFirst(): Promise<void> {
    const first = segments.shift() as Segment;
    await reader?.close();
    reader = null;
    position = 0;
    bytes -= first.size;
    if (writer?.segment === first) {
      await writer.file.close();
      writer = null;
    }
    await rm(first.path);
  }

  // Operations run in sequence: a segment must not be deleted while a record is being written to it.
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(operation: () => Promise<T>): Promise<T> {
    const turn = last.then(operation);
    last = turn.catch(() => {});
    return turn;
  }

  async function append(batch: SpooledBatch): Promise<boolean> {
    const record = encodeRecord(batch);
    if (bytes + record.length > maxBytes) return false;
    const { file, segment } = await writable();
    await file.write(record, 0, record.length, segment.size);
    await file.datasync();
    if (bytes === 0) oldestMs = timeOf(batch);
    segment.size += record.length;
    bytes += record.length;
    return true;
  }

  async function peek(): Promise<SpooledBatch | null> {
    if (head) return head.batch;
    const first = segments[0];
    if (!first || first.size === 0) return null;
    reader ??= await open(first.path);
    const header = Buffer.alloc(HEADER_BYTES);
    await reader.read(header, 0, HEADER_BYTES, position);
    const length = HEADER_BYTES + (readHeader(header)?.payloadBytes ?? 0);
    const record = Buffer.alloc(length);
    await reader.read(record, 0, length, position);
    const batch = decodeRecord(record);
    if (!batch) throw new Error('a record of the spool changed on disk');
    head = { batch, length };
    oldestMs = timeOf(batch);
    return batch;
  }

  async function remove(): Promise<void> {
    if (!head) return;
    position += head.length;
    head = null;
    if (position >= (segments[0] as Segment).size) await dropFirst();
    if ((await peek()) === null) oldestMs = null;
  }

  await peek();
  return {
    get bytes() {
      return bytes;
    },
    get oldestMs() {
      return oldestMs;
    },
    get isEmpty() {
      return segments.length === 0;
    },
    append: (batch) => inTurn(() => append(batch)),
    peek: () => inTurn(peek),
    remove: () => inTurn(remove),
    close: () =>
      inTurn(async () => {
        await reader?.close();
        await writer?.file.close();
        reader = null;
        writer = null;
      }),
  };
}

/** Batches of earlier versions have no time. */
function timeOf(batch: SpooledBatch): number {
  return collectedMs(batch) ?? Date.now();
}

/** Returns the total length of the complete records at the start of a segment. */
async function wholeBytes(path: string): Promise<number> {
  const size = (await stat(path)).size;
  const file = await open(path);
  try {
    let at = 0;
    const header = Buffer.alloc(HEADER_BYTES);
    while (at + HEADER_BYTES <= size) {
      await file.read(header, 0, HEADER_BYTES, at);
      const length = HEADER_BYTES + (readHeader(header)?.payloadBytes ?? Number.POSITIVE_INFINITY);
      if (at + length > size) break;
      const record = Buffer.alloc(length);
      await file.read(record, 0, length, at);
      if (!decodeRecord(record)) break;
      at += length;
    }
    return at;
  } finally {
    await file.close();
  }
}

/** Syncs the directory, so that a new file name survives a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
