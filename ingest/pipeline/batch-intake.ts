import { type Batch, type BatchDeps, type ChunkInBatch, openBatch } from './batch.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { OpenedLane } from './open-lane.ts';
import type { PackedRecords } from './packed-records.ts';
import type { LaneLimits } from './pipeline-lane.ts';
import { COUNTED } from './pipeline-record.ts';
import type { HeldChunk } from './record.ts';
import type { TakeIn } from './record-steps.ts';

/**
 * Maximum time that a lane processes records of one chunk before it yields to the event loop, ms. A request with fifty
 * thousand events must not block other lanes until it is complete.
 */
const SLICE_MS = 15;
/** The clock is read once per this many records, or this many bytes: a record of a megabyte can take 35 ms. */
const RECORDS_PER_CLOCK_READING = 16;
const BYTES_PER_CLOCK_READING = 64 * 1024;

/**
 * The open batch of a lane, filled chunk by chunk. Invariant: a batch is sealed only when all records of its chunks
 * have been added.
 */
export interface BatchIntake {
  /** The open batch; undefined if none is open. */
  batch(): Batch | undefined;
  /** True if the batch must be sealed before another chunk begins. */
  isFull(): boolean;
  /** True while some records of the newest chunk have not been added. */
  isFilling(): boolean;
  /** Begins a chunk, and opens a batch if none is open. `arrivedAt`: when the chunk started to wait at the gates. */
  begin(chunk: HeldChunk, state: OpenedLane, arrivedAt: number): void;
  /**
   * Adds records of the chunk for at most `SLICE_MS`. Returns the number of accepted events when the chunk is complete,
   * otherwise undefined.
   */
  fill(state: OpenedLane): number | undefined;
  /** Closes the batch for new records. The next chunk opens another one. */
  clear(): void;
}

export interface BatchIntakeDeps extends BatchDeps {
  /** True if the lane assigns the offsets, because records of local sources have none. */
  readonly counted: boolean;
  readonly limits: LaneLimits;
  readonly metrics: PipelineMetrics;
  readonly takeIn: TakeIn;
}

export function createBatchIntake(deps: BatchIntakeDeps): BatchIntake {
  const { counted, limits, metrics, takeIn } = deps;
  let batch: Batch | undefined;
  /** `next` is the index of the first record of the newest chunk that has not been added. */
  let filling: { part: ChunkInBatch; next: number } | undefined;

  function takeRecord(records: PackedRecords, index: number, open: Batch, part: ChunkInBatch, state: OpenedLane): void {
    const given = records.offset(index);
    const offset = counted && given === COUNTED ? nextCountedOffset(state) : given;
    if (offset <= state.position) {
      if (offset <= state.marks.events) metrics.dropped('already_landed');
      return;
    }
    if (offset !== state.position + 1) open.mayTrail = true;
    state.position = offset;
    takeIn(records, index, offset, open, part, state);
  }

  return {
    batch: () => batch,
    isFull: () => batch !== undefined && (batch.records >= limits.batchRecords || batch.bytes >= limits.batchBytes),
    isFilling: () => filling !== undefined,
    begin(chunk, state, arrivedAt) {
      batch ??= openBatch(state, deps, arrivedAt);
      const part: ChunkInBatch = { chunk, accepted: 0, rejected: [], rejectedTotal: 0 };
      batch.chunks.push(part);
      batch.isAwaited ||= chunk.landed !== undefined;
      filling = { part, next: 0 };
    },
    fill(state) {
      if (filling === undefined || batch === undefined) return undefined;
      const { part } = filling;
      const { records, bytes } = part.chunk;
      const endBy = performance.now() + SLICE_MS;
      let recordsSince = 0;
      let bytesSince = 0;
      for (let index = filling.next; index < records.length; index++) {
        if (recordsSince === RECORDS_PER_CLOCK_READING || bytesSince >= BYTES_PER_CLOCK_READING) {
          if (performance.now() >= endBy) {
            filling.next = index;
            return undefined;
          }
          recordsSince = 0;
          bytesSince = 0;
        }
        recordsSince++;
        bytesSince += records.size(index);
        takeRecord(records, index, batch, part, state);
      }
      filling = undefined;
      batch.records += records.length;
      batch.bytes += bytes;
      batch.lastOffset = Math.max(batch.lastOffset, state.position);
      return part.accepted;
    },
    clear() {
      batch = undefined;
      filling = undefined;
    },
  };
}

function nextCountedOffset(state: OpenedLane): number {
  return Math.max(state.position, state.marks.deadLetters) + 1;
}
