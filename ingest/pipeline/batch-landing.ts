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

/**
 * Makes the batches of a lane durable, one at a time, then commits their offsets. Owns the batch that is landing and
 * the highest landed offset.
 */
export interface BatchLanding {
  /** The batch that is landing, if any. */
  batch(): SealedBatch | undefined;
  /** Highest landed offset; -1 if nothing has landed. */
  landedOffset(): number;
  /** Sets the highest landed offset from the marks that were read when the lane was opened. */
  startFrom(marks: OpenedLane['marks']): void;
  /** Lands a batch. Precondition: no other batch is landing. */
  begin(batch: SealedBatch, state: OpenedLane): void;
  /**
   * Ages the ids of a batch that landed during a chunk lookup. Has no effect during a lookup or while a batch is
   * landing.
   */
  ageIds(state: OpenedLane): void;
  /** Drops the batch that is landing. Its outcome no longer affects the lane. */
  forget(): void;
  /** Resolves when no commit is in flight. */
  committed(): Promise<void>;
}

/** A batch that is durable. */
export interface LandedBatch extends Landed {
  /** The trace of a detection of the batch; undefined if none is recorded. */
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
  /** True from the lookup of a chunk until all its records have been added. Its ids must not be aged in that time. */
  readonly isTakingIn: () => boolean;
  readonly landed: () => void;
  /** Called when another process has written to the lane. `batch()` still returns the batch. */
  readonly fenced: () => void;
  readonly failed: (error: unknown) => void;
}

export function createBatchLanding(deps: BatchLandingDeps, callbacks: BatchLandingCallbacks): BatchLanding {
  const { budget, early, owner, metrics } = deps;
  const committer = createCommitter(owner);
  let landing: SealedBatch | undefined;
  let landedOffset = -1;
  /**
   * True if a batch has landed since ids were last aged. Ids are aged at most once per batch, and only when all
   * unlanded ids belong to one open batch.
   */
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

/** Releases the memory of the chunks of a landed batch, and reports each chunk to its sender. */
function reportLanded({ chunks }: SealedBatch, budget: BudgetShare): void {
  for (const part of chunks) {
    budget.remove(part.chunk.bytes);
    part.chunk.records.release();
    part.chunk.landed?.(outcomeOf(part));
  }
}
