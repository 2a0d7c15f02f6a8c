import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent, Rejection } from '#schemas/events/accepted.ts';
import type { StoredText } from './native/stored-text.ts';
import type { DetectionTraceRow } from './tables/detection-traces.ts';

/** One stretch of records of one (topic, partition), written by at most one process at a time, but guarded against two. */
export interface Lane {
  readonly topic: string;
  readonly partition: number;
}

/** Highest offset already in each table for a lane; -1 when none. Everything up to it is there, everything above is not. */
export interface LaneMarks {
  readonly events: number;
  readonly deadLetters: number;
}

/** A growing block of rows of one lane for one table, already in the wire form of the insert. Rows come in offset order. */
export interface RowBlock {
  readonly rows: number;
  readonly bytes: number;
  readonly firstOffset: number;
  readonly lastOffset: number;
  /** It has landed and is not needed any more: its memory may be used for another block. */
  release(): void;
}

export interface EventRow {
  readonly offset: number;
  readonly accepted: AcceptedEvent;
  /** The JSON text as it came (a registry frame's header taken off). Not copied: it must stay as it is until the block has landed. */
  readonly raw: StoredText | Buffer;
  readonly ingestId: string;
}

export interface DeadLetterRow {
  readonly offset: number;
  readonly rejection: Rejection;
  /** All bytes as they came. Not copied, like `EventRow.raw`. */
  readonly raw: StoredText | Buffer;
  readonly key: Buffer | null;
  readonly ingestId: string;
}

/** The position in a trace of one revision; `trace` as of `storedTrace`. */
export type DetectionTrace = Pick<DetectionTraceRow, 'id' | 'revision' | 'trace'>;

/** Another process has written to the lane since its marks were read: this one no longer owns it and must start over from `LaneMarks`. */
export interface Fenced {
  readonly outcome: 'fenced';
}
export interface Landed {
  readonly outcome: 'landed';
}

/**
 * What the pipeline needs of ClickHouse. Blocks of a lane form a chain: each carries the mark it builds on as its
 * insert_deduplication_token, so of two writers that build on the same mark one is dropped by the server, and reading the
 * mark back shows which. Every method retries nothing: it rejects with a typed error (`isTemporary(error)`).
 */
export interface LandingStore {
  marks(lane: Lane): Promise<LaneMarks>;
  /** `receivedMs` (epoch) stands in every row of the block, so that a block never crosses a table partition. */
  openEvents(lane: Lane, receivedMs: number): EventBlockBuilder;
  openDeadLetters(lane: Lane, receivedMs: number): DeadLetterBlockBuilder;
  /** `mark`: the highest event (or dead-letter) offset landed before this block. Atomic; a repeat of the same block is harmless. */
  landEvents(block: RowBlock, mark: number): Promise<Landed | Fenced>;
  landDeadLetters(block: RowBlock, mark: number): Promise<Landed | Fenced>;
  landDetections(detections: readonly Detection[]): Promise<void>;
  /** Where readers of detections continue their traces. */
  landDetectionTraces(traces: readonly DetectionTrace[]): Promise<void>;
  /** Which of these ingest ids have landed in the last 24 h (events and dead letters). */
  landedIngestIds(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The newest tracker snapshot at or below `mark`, if any. */
  latestSnapshot(lane: Lane, mark: number): Promise<{ offset: number; chunks: string[] } | undefined>;
  saveSnapshot(lane: Lane, offset: number, chunks: readonly string[]): Promise<void>;
  /** Raw JSON of landed events of the lane with `offset > after` in offset order, in batches. */
  replay(lane: Lane, after: number, upTo: number): AsyncIterable<readonly Buffer[]>;
}

export interface EventBlockBuilder extends RowBlock {
  append(row: EventRow): void;
}
export interface DeadLetterBlockBuilder extends RowBlock {
  append(row: DeadLetterRow): void;
}
