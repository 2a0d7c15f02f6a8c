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

/** How things stood when a batch was begun. */
export interface BatchStart {
  /** Milliseconds since the epoch: one value for the batch, so that its blocks never cross a table partition. */
  readonly receivedMs: number;
  /**
   * When its first chunk came, before it waited at the gates: both waits are one. By the clock that is never set back: a batch must not wait for an
   * hour to come again. Milliseconds.
   */
  readonly openedAt: number;
  /** More was waiting at the source than a batch takes. */
  readonly behind: boolean;
  /** When the settings of the rules change with this batch: the snapshot that is saved before anything of it lands. */
  readonly settingsSnapshot: readonly string[] | undefined;
}

/** What one landing carries: filled record by record, sealed once, landed in the pipeline's order. */
export interface Batch extends BatchStart {
  readonly events: EventBlockBuilder;
  readonly deadLetters: DeadLetterBlockBuilder;
  readonly deadMessages: DeadLetterMessage[];
  readonly chunks: ChunkInBatch[];
  records: number;
  bytes: number;
  /** A sender waits until one of its chunks has landed. */
  isAwaited: boolean;
  /**
   * Another process may have landed records of it that the tracker has not seen. Offsets are missing before or within it (or were never used:
   * compaction, transactions), or a record was dropped because its ingest id has landed (or a sender repeated it).
   */
  mayTrail: boolean;
  /** Highest offset taken in, landed or not: what a commit may say. */
  lastOffset: number;
}

export interface ChunkInBatch {
  readonly chunk: HeldChunk;
  accepted: number;
  readonly rejected: RejectedRecord[];
  rejectedTotal: number;
}

/** A batch that takes nothing more. */
export interface SealedBatch extends Batch {
  readonly output: TrackerOutput;
  /** State of the tracker after this batch, when a snapshot is due. */
  readonly snapshot: readonly string[] | undefined;
}

export interface BatchDeps {
  readonly store: LandingStore;
  readonly lane: Lane;
  readonly rules: LaneRules;
  readonly owner: LaneOwner;
  readonly nowMs: () => number;
}

/** Begins a batch. Everything before it is sealed, and so drained: the place where changed settings begin to hold. */
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

/** Ends a batch: drains from the tracker what was derived from its records, and takes a snapshot when one is due. */
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
  /** From sealing the batch until it was durable. */
  readonly seconds: number;
  /** When that was, epoch milliseconds. */
  readonly nowMs: number;
  readonly traceOf: (detection: Detection) => TraceContext | undefined;
}

/** Counts a batch that has landed. */
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
