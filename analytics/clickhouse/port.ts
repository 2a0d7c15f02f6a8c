import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent, Rejection } from '#schemas/events/accepted.ts';
import type { DecodedRows } from '../event-decoder/decoded-rows.ts';
import type { StoredText } from './native/stored-text.ts';
import type { DetectionTraceRow } from './tables/detection-traces.ts';

/**
 * The records of one (topic, partition). At most one process should write a lane at a time, and the store detects a
 * second writer.
 */
export interface Lane {
  readonly topic: string;
  readonly partition: number;
}

/** Highest stored offset of a lane in each table, or -1. Everything up to it is stored, and nothing above it. */
export interface LaneMarks {
  readonly events: number;
  readonly deadLetters: number;
}

/**
 * A growing block of rows of one lane for one table, already in the wire format of the insert. Rows are in offset
 * order.
 */
export interface RowBlock {
  readonly rows: number;
  readonly bytes: number;
  readonly firstOffset: number;
  readonly lastOffset: number;
  /** Releases the memory of a block that is stored and no longer needed, so that another block can reuse it. */
  release(): void;
}

export interface EventRow {
  readonly offset: number;
  readonly accepted: AcceptedEvent;
  /**
   * The received JSON text, without the header of a registry frame. Not copied: the buffer must not change until the
   * block is stored.
   */
  readonly raw: StoredText | Buffer;
  readonly ingestId: string;
}

export interface DeadLetterRow {
  readonly offset: number;
  readonly rejection: Rejection;
  /** The received bytes. Not copied, like `EventRow.raw`. */
  readonly raw: StoredText | Buffer;
  readonly key: Buffer | null;
  readonly ingestId: string;
}

/** The trace context of one revision, in the form of `storedTrace`. */
export type DetectionTrace = Pick<DetectionTraceRow, 'id' | 'revision' | 'trace'>;

/**
 * Another process has written to the lane since its marks were read. This process no longer owns the lane and must
 * start again from `LaneMarks`.
 */
export interface Fenced {
  readonly outcome: 'fenced';
}
export interface Landed {
  readonly outcome: 'landed';
}

/**
 * The ClickHouse operations of the pipeline. The blocks of a lane form a chain. Each block has the mark after which it
 * is appended as its insert_deduplication_token. If two writers append after the same mark, the server drops one block,
 * and reading the mark shows which. The methods do not retry: they reject with a typed error (`isTemporary(error)`).
 */
export interface LandingStore {
  marks(lane: Lane): Promise<LaneMarks>;
  /**
   * Opens a block of events. All rows have the same `receivedMs` (epoch), so a block never spans two table partitions.
   */
  openEvents(lane: Lane, receivedMs: number): EventBlockBuilder;
  openDeadLetters(lane: Lane, receivedMs: number): DeadLetterBlockBuilder;
  /** Stores a block. `mark`: the highest event (or dead-letter) offset stored before it. Atomic and idempotent. */
  landEvents(block: RowBlock, mark: number): Promise<Landed | Fenced>;
  landDeadLetters(block: RowBlock, mark: number): Promise<Landed | Fenced>;
  landDetections(detections: readonly Detection[]): Promise<void>;
  /** Stores trace contexts, from which readers of detections continue the traces. */
  landDetectionTraces(traces: readonly DetectionTrace[]): Promise<void>;
  /** Returns which of these ingest ids were stored in the last 24 h (events and dead letters). */
  landedIngestIds(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the newest tracker snapshot at or below `mark`, if any. */
  latestSnapshot(lane: Lane, mark: number): Promise<{ offset: number; chunks: string[] } | undefined>;
  saveSnapshot(lane: Lane, offset: number, chunks: readonly string[]): Promise<void>;
  /** Yields the raw JSON of the lane's stored events with `after < offset <= upTo`, in offset order, in batches. */
  replay(lane: Lane, after: number, upTo: number): AsyncIterable<readonly Buffer[]>;
}

export interface EventBlockBuilder extends RowBlock {
  append(row: EventRow): void;
  /** Appends an event whose columns are decoded already: the row `index` of `rows`. */
  appendDecoded(rows: DecodedRows, index: number, row: Omit<EventRow, 'accepted'>): void;
}
export interface DeadLetterBlockBuilder extends RowBlock {
  append(row: DeadLetterRow): void;
}
