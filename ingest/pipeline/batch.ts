import type { DeadLetterBlockBuilder, EventBlockBuilder, LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import type { TrackerOutput } from '#analytics/detections/tracker-port.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { DeadLetterMessage } from './publish.ts';
import type { ChunkOutcome, HeldChunk, RejectedRecord } from './record.ts';

/** How things stood when a batch was begun. */
export interface BatchStart {
  /** Milliseconds since the epoch: one value for the batch, so that its blocks never cross a table partition. */
  readonly receivedMs: number;
  /** By the clock that is never set back: a batch must not wait for an hour to come again. Milliseconds. */
  readonly openedAt: number;
  /** More was waiting at the source than a batch takes. */
  readonly behind: boolean;
}

/** What one landing carries: filled record by record, sealed once, landed in the pipeline's order. */
export interface Batch extends BatchStart {
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

export function openBatch(store: LandingStore, lane: Lane, start: BatchStart): Batch {
  return {
    ...start,
    events: store.openEvents(lane, start.receivedMs),
    deadLetters: store.openDeadLetters(lane, start.receivedMs),
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
