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
  /** The first of them, at most `MAX_LISTED_REJECTIONS`. */
  readonly rejected: readonly RejectedRecord[];
  readonly rejectedTotal: number;
}

/**
 * Records that were handed over together. They land in one batch, never split, so that a caller that waits for the response
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
  /** Recorded traces among its records. */
  readonly traces?: readonly RecordTrace[] | undefined;
  /** Called once all is durable. */
  readonly landed?: (outcome: ChunkOutcome) => void;
  /** Called when the lane ends before that; nothing is promised about the records then. */
  readonly failed?: (error: unknown) => void;
}
