import type { PackedRecords } from './packed-records.ts';
import type { PipelineRecord } from './pipeline-record.ts';
import type { RecordTrace } from './record-traces.ts';

export interface RejectedRecord {
  /** Position in the chunk. */
  readonly index: number;
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

export interface ChunkOutcome {
  readonly accepted: number;
  /** The first rejected records, at most `MAX_LISTED_REJECTIONS`. */
  readonly rejected: readonly RejectedRecord[];
  readonly rejectedTotal: number;
}

/**
 * Records that a sender passed together. They land in one batch and are never split: either all of them are durable, or
 * none.
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
  /** Recorded traces of its records. */
  readonly traces?: readonly RecordTrace[] | undefined;
  /** Called when all records are durable. */
  readonly landed?: (outcome: ChunkOutcome) => void;
  /** Called if the lane ends before that. The records may or may not be durable. */
  readonly failed?: (error: unknown) => void;
}
