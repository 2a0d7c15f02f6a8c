import type { DeadLetterBlockBuilder, EventBlockBuilder, LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import type { TrackerOutput } from '#analytics/detections/tracker-port.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { DeadLetterMessage } from './publish.ts';
import type { ChunkOutcome, HeldChunk, RejectedRecord } from './record.ts';

/** What one landing carries: filled record by record, sealed once, landed in the pipeline's order. */
export interface Batch {
  readonly receivedMs: number;
  /** By the clock that is never set back: a batch must not wait for an hour to come again. Milliseconds. */
  readonly openedAt: number;
  readonly events: EventBlockBuilder;
  readonly deadLetters: DeadLetterBlockBuilder;
  readonly deadMessages: DeadLetterMessage[];
  readonly chunks: ChunkInBatch[];
  records: number;
  bytes: number;
  /** Offsets are missing before or within it: perhaps never used (compaction, transactions), perhaps landed by another process. */
  gap: boolean;
  /** Highest offset taken in, landed or not: what a commit may say. */
  lastOffset: number;
}

export interface ChunkInBatch {
  readonly chunk: HeldChunk;
  accepted: number;
  readonly rejected: RejectedRecord[];
}

/** A batch that takes nothing more. */
export interface SealedBatch extends Batch {
  readonly output: TrackerOutput;
  /** State of the tracker after this batch, when a snapshot is due. */
  readonly snapshot: readonly string[] | undefined;
}

/** `receivedMs` is one value for the batch, so that its blocks never cross a table partition. */
export function openBatch(store: LandingStore, lane: Lane, receivedMs: number, openedAt: number): Batch {
  return {
    receivedMs,
    openedAt,
    events: store.openEvents(lane, receivedMs),
    deadLetters: store.openDeadLetters(lane, receivedMs),
    deadMessages: [],
    chunks: [],
    records: 0,
    bytes: 0,
    gap: false,
    lastOffset: -1,
  };
}

export function outcomeOf({ accepted, rejected }: ChunkInBatch): ChunkOutcome {
  return { accepted, rejected };
}

/** `seconds`: from sealing it until it was durable. */
export function countLanded(metrics: PipelineMetrics, { records, events, output }: SealedBatch, seconds: number): void {
  metrics.batch(records, seconds);
  metrics.step('land', seconds, records);
  metrics.landed(events.rows);
  for (const { rule, severity } of output.changed) metrics.detection(rule.id, severity);
}
