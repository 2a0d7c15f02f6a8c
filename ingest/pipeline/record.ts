import type { PackedRecords } from './packed-records.ts';

/** A record on its way in, before anybody has looked into it. */
export interface PipelineRecord {
  /** Kafka's offset, or `COUNTED` when the lane counts offsets itself (sources that never were in Kafka). */
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Chosen by the sender so that a repeat is recognised; empty when there is none. */
  readonly ingestId: string;
}

export const COUNTED = -1;

export interface RejectedRecord {
  /** Position in the chunk. */
  readonly index: number;
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

export interface ChunkOutcome {
  readonly accepted: number;
  /** The first of them, at most `MAX_LISTED_REJECTIONS`. */
  readonly rejected: readonly RejectedRecord[];
  readonly rejectedTotal: number;
}

/**
 * Records that were handed over together. They land in one batch, never split, so that whoever waits for the answer
 * knows that all of them are durable or none.
 */
export interface Chunk extends ChunkFate {
  readonly records: readonly PipelineRecord[];
  readonly bytes: number;
}

/** A chunk as a lane keeps it. */
export interface HeldChunk extends ChunkFate {
  readonly records: PackedRecords;
  readonly bytes: number;
}

interface ChunkFate {
  /** Called once all is durable. */
  readonly landed?: (outcome: ChunkOutcome) => void;
  /** Called when the lane ends before that; nothing is promised about the records then. */
  readonly failed?: (error: unknown) => void;
}

/** A fixed cost a record carries in memory beside its bytes; keeps floods of tiny records inside the byte limits. */
export const RECORD_OVERHEAD_BYTES = 128;

/** Memory a set of records is accounted with. */
export function bytesOf(records: readonly PipelineRecord[]): number {
  let bytes = 0;
  for (const { key, value, ingestId } of records) {
    bytes += (value?.length ?? 0) + (key?.length ?? 0) + ingestId.length + RECORD_OVERHEAD_BYTES;
  }
  return bytes;
}
