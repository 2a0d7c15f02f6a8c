import type { DeadLetterBlockBuilder, EventBlockBuilder, LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import type { TrackerOutput } from '#analytics/detections/tracker-port.ts';
import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { LaneOwner } from './lane-owner.ts';
import { adoptSettings, type JudgingState, type LaneRules, snapshotLane } from './lane-settings.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { DeadLetterMessage } from './publish.ts';
import type { ChunkOutcome, HeldChunk, RejectedRecord } from './record.ts';
import type { SnapshotSchedule } from './snapshot-schedule.ts';

/** Values that are fixed when a batch is opened. */
export interface BatchStart {
  /** Receive time in epoch milliseconds: one value per batch, so that its blocks stay within one table partition. */
  readonly receivedMs: number;
  /**
   * When its first chunk reached the gates, so that the linger time includes the wait there. Monotonic clock,
   * milliseconds: a clock that is set back must not delay the batch.
   */
  readonly openedAt: number;
  /** True if the source had more unread records than one batch holds. */
  readonly behind: boolean;
  /**
   * Present if the settings of the rules change with this batch. The snapshot must be saved before any part of the
   * batch lands.
   */
  readonly settingsSnapshot: readonly string[] | undefined;
}

/** The rows and messages of one landing. Records are added one by one; the batch is sealed once and then landed. */
export interface Batch extends BatchStart {
  readonly events: EventBlockBuilder;
  readonly deadLetters: DeadLetterBlockBuilder;
  readonly deadMessages: DeadLetterMessage[];
  readonly chunks: ChunkInBatch[];
  records: number;
  bytes: number;
  /** True if a sender waits until one of its chunks has landed. */
  isAwaited: boolean;
  /**
   * True if another process may have landed records that this tracker has not seen. Reasons: offsets are missing before
   * or within the batch (or were never used, due to compaction or transactions), or a record was dropped because its
   * ingest id has landed (or a sender repeated it).
   */
  mayTrail: boolean;
  /** Highest offset that was added, landed or not. The commit may cover offsets up to here. */
  lastOffset: number;
}

export interface ChunkInBatch {
  readonly chunk: HeldChunk;
  accepted: number;
  readonly rejected: RejectedRecord[];
  rejectedTotal: number;
}

/** A batch that accepts no more records. */
export interface SealedBatch extends Batch {
  readonly output: TrackerOutput;
  /** Snapshot of the tracker after this batch, if one is due. */
  readonly snapshot: readonly string[] | undefined;
}

export interface BatchDeps {
  readonly store: LandingStore;
  readonly lane: Lane;
  readonly rules: LaneRules;
  readonly owner: LaneOwner;
  readonly nowMs: () => number;
}

/** Opens a batch. All earlier records are sealed and drained at this point, so changed settings take effect here. */
export function openBatch(
  state: JudgingState,
  { store, lane, rules, owner, nowMs }: BatchDeps,
  openedAt: number,
): Batch {
  const receivedMs = nowMs();
  return {
    receivedMs,
    openedAt,
    behind: owner.isBehind(),
    settingsSnapshot: adoptSettings(state, rules),
    events: store.openEvents(lane, receivedMs),
    deadLetters: store.openDeadLetters(lane, receivedMs),
    deadMessages: [],
    chunks: [],
    records: 0,
    bytes: 0,
    isAwaited: false,
    mayTrail: false,
    lastOffset: -1,
  };
}

/** Seals a batch: drains from the tracker what it derived from the records, and takes a snapshot if one is due. */
export function sealBatch(batch: Batch, state: JudgingState, snapshots: SnapshotSchedule): SealedBatch {
  const output = state.tracker.drain();
  const snapshot = snapshots.isDue() && batch.events.rows > 0 ? snapshotLane(state) : undefined;
  if (snapshot !== undefined) snapshots.taken();
  return { ...batch, output, snapshot };
}

export function outcomeOf({ accepted, rejected, rejectedTotal }: ChunkInBatch): ChunkOutcome {
  return { accepted, rejected, rejectedTotal };
}

export interface LandedFacts {
  /** Duration from sealing the batch until it was durable. */
  readonly seconds: number;
  /** When the batch became durable, epoch milliseconds. */
  readonly nowMs: number;
  readonly traceOf: (detection: Detection) => TraceContext | undefined;
}

/** Updates the metrics for a landed batch. */
export function countLanded(
  metrics: PipelineMetrics,
  { records, events, output }: SealedBatch,
  { seconds, nowMs, traceOf }: LandedFacts,
): void {
  metrics.batch(records, seconds);
  metrics.step('land', seconds, records);
  metrics.landed(events.rows);
  for (const detection of output.changed) {
    const { rule, severity, lastSeen } = detection;
    metrics.detection(rule.id, severity, (nowMs - Date.parse(lastSeen)) / 1_000, traceOf(detection));
  }
}
