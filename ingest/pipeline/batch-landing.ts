import type { Fenced, Landed } from '#analytics/clickhouse/port.ts';
import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { countLanded, outcomeOf, type SealedBatch } from './batch.ts';
import type { BudgetShare } from './byte-budget.ts';
import { createCommitter } from './committer.ts';
import type { EarlySeals } from './early-seals.ts';
import type { LaneOwner } from './lane-owner.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { OpenedLane } from './open-lane.ts';
import type { LaneState } from './record-steps.ts';

/** Makes the batches of a lane durable, one at a time, and commits behind them. Owns the batch that is landing and the highest landed offset. */
export interface BatchLanding {
  /** The batch that is landing; undefined when none is. */
  batch(): SealedBatch | undefined;
  /** Highest landed offset; -1 before the first. */
  landedOffset(): number;
  /** Counts what landed before the lane was opened. */
  startFrom(marks: OpenedLane['marks']): void;
  /** Lands a batch. Invariant: no other batch is landing. */
  begin(batch: SealedBatch, state: OpenedLane): void;
  /** Ages ids that landed while chunks were looked up. Does nothing while a chunk is, or while a batch is landing. */
  ageIds(state: OpenedLane): void;
  /** Forgets the batch that is landing: its outcome has no effect on the lane. */
  forget(): void;
  /** Resolves when no commit is in flight. */
  committed(): Promise<void>;
}

/** A batch that is durable. */
export interface LandedBatch extends Landed {
  /** The trace of one of its detections; undefined when none is recorded. */
  readonly traceOf: (detection: Detection) => TraceContext | undefined;
}

export interface BatchLandingDeps {
  readonly budget: BudgetShare;
  /** Shared by all lanes of the pipeline. */
  readonly early: EarlySeals;
  readonly owner: LaneOwner;
  readonly metrics: PipelineMetrics;
  readonly nowMs: () => number;
  readonly land: (batch: SealedBatch, state: LaneState) => Promise<LandedBatch | Fenced>;
}

interface BatchLandingCallbacks {
  /** True while a chunk has been looked up and not been taken in completely: its ids must stay known. */
  readonly isTakingIn: () => boolean;
  readonly landed: () => void;
  /** Another process has written to the lane. The batch is still here. */
  readonly fenced: () => void;
  readonly failed: (error: unknown) => void;
}

export function createBatchLanding(deps: BatchLandingDeps, callbacks: BatchLandingCallbacks): BatchLanding {
  const { budget, early, owner, metrics } = deps;
  const committer = createCommitter(owner);
  let landing: SealedBatch | undefined;
  let landedOffset = -1;
  /** A batch has landed since ids were aged. They are once for each batch at most, when the only unlanded ones are those of one open batch. */
  let isAgeingDue = false;

  function ageIds(state: LaneState): void {
    if (!isAgeingDue || landing !== undefined || callbacks.isTakingIn()) return;
    isAgeingDue = false;
    state.recentIds.landed();
  }

  async function land(batch: SealedBatch, state: OpenedLane): Promise<void> {
    const startedAt = performance.now();
    try {
      const outcome = await deps.land(batch, state);
      if (landing !== batch) return;
      if (outcome.outcome !== 'landed') return callbacks.fenced();
      const seconds = (performance.now() - startedAt) / 1_000;
      early.landed(seconds * 1_000);
      countLanded(metrics, batch, { seconds, nowMs: deps.nowMs(), traceOf: outcome.traceOf });
      landedOffset = Math.max(landedOffset, batch.lastOffset);
      landing = undefined;
      batch.events.release();
      batch.deadLetters.release();
      isAgeingDue = true;
      ageIds(state);
      reportLanded(batch, budget);
      if (batch.lastOffset >= 0) committer.commit(batch.lastOffset + 1);
      if (budget.hasRoom()) owner.hasRoom();
      callbacks.landed();
    } catch (error) {
      callbacks.failed(error);
    }
  }

  return {
    batch: () => landing,
    landedOffset: () => landedOffset,
    startFrom(marks) {
      landedOffset = Math.max(landedOffset, marks.events, marks.deadLetters);
    },
    begin(batch, state) {
      landing = batch;
      void land(batch, state);
    },
    ageIds,
    forget() {
      landing = undefined;
      isAgeingDue = false;
    },
    committed: () => committer.idle(),
  };
}

/** Releases the memory of the chunks of a batch that landed, and reports each to its sender. */
function reportLanded({ chunks }: SealedBatch, budget: BudgetShare): void {
  for (const part of chunks) {
    budget.remove(part.chunk.bytes);
    part.chunk.records.release();
    part.chunk.landed?.(outcomeOf(part));
  }
}
