import { type Batch, sealBatch } from './batch.ts';
import { type BatchIntakeDeps, createBatchIntake } from './batch-intake.ts';
import { type BatchLandingDeps, createBatchLanding } from './batch-landing.ts';
import { createChunkGates } from './chunk-gates.ts';
import type { OpenedLane } from './open-lane.ts';
import type { Gate } from './pipeline-lane.ts';
import type { HeldChunk } from './record.ts';
import { createSealSchedule } from './seal-schedule.ts';
import { createSnapshotSchedule } from './snapshot-schedule.ts';
import { coalesceTasks, type EnqueueTask } from './task-queue.ts';

/**
 * Holds the chunks of a lane until they have landed: in the queue, then in the open batch, then in the batch that is
 * landing. One batch lands while the next one fills. Because chunks are kept, a fenced lane does not need to fetch them
 * again.
 */
export interface LaneBatches {
  /** Queues a chunk. After `close` or `stop`, the chunk fails. */
  take(chunk: HeldChunk): void;
  queuedChunks(): number;
  landedOffset(): number;
  /** Starts to process chunks with the given state of the lane. */
  start(state: OpenedLane): void;
  /** Does all work that can be done now. */
  advance(): void;
  /** Returns all unlanded chunks to the queue, in order. They wait there for the next `start`. */
  requeue(): void;
  /** Rejects new chunks, and lands the present ones without linger. */
  close(): void;
  /** Stops the work, and returns the unlanded chunks in order. */
  stop(): HeldChunk[];
  /** Resolves when no commit is in flight. */
  committed(): Promise<void>;
}

export interface LaneBatchesDeps extends BatchIntakeDeps, BatchLandingDeps {
  readonly gates: readonly Gate[];
  readonly enqueueTask: EnqueueTask;
}

interface LaneBatchesCallbacks {
  /** Called after `close`, when everything has landed. */
  readonly drained: () => void;
  /** Called when another process has written to the lane. */
  readonly fenced: () => void;
  readonly failed: (error: unknown) => void;
}

/** A batch is urgent if it has a new detection, or if a sender waits for it before it sends more. */
function isUrgent({ isAwaited }: Batch, { tracker }: OpenedLane): boolean {
  return isAwaited || tracker.hasAnnouncements();
}

/**
 * `createLane` owns the state of the lane. It calls `start` when the lane is running, and `requeue` or `stop` when it
 * is not.
 * Long: its functions share the queue and both batches.
 */
export function createLaneBatches(deps: LaneBatchesDeps, callbacks: LaneBatchesCallbacks): LaneBatches {
  const { limits, budget, owner, early } = deps;
  const { failed } = callbacks;
  const queue: HeldChunk[] = [];
  const gates = createChunkGates({ gates: deps.gates, passed: advance, failed });
  const intake = createBatchIntake(deps);
  const sealing = createSealSchedule({ limits, budget, owner, early, check: advance });
  const snapshots = createSnapshotSchedule(limits, deps.nowMs);
  const isTakingIn = () => gates.isWaiting() || intake.isFilling() || (state?.askedAhead.size ?? 0) > 0;
  const landing = createBatchLanding(deps, { isTakingIn, landed: advance, fenced: callbacks.fenced, failed });
  /** Processes one chunk per iteration of the event loop, so that sockets are served in between. */
  const wake = coalesceTasks(deps.enqueueTask, advance);
  /** Set only while the lane is running. */
  let state: OpenedLane | undefined;
  let ending: 'closing' | 'stopped' | undefined;

  /** Called after every change that may allow more work. */
  function advance(): void {
    if (state === undefined) {
      if (ending === 'closing' && queue.length === 0) callbacks.drained();
      return;
    }
    if (gates.isWaiting()) return;
    try {
      const chunk = intake.isFilling() ? undefined : queue[0];
      if (chunk !== undefined && !begin(chunk, state)) return;
      const accepted = intake.fill(state);
      if (accepted !== undefined) {
        snapshots.count(accepted);
        landing.ageIds(state);
      }
      if (intake.isFilling() || queue.length > 0) wake();
      else sealWhenDue(state);
    } catch (error) {
      failed(error);
    }
  }

  /**
   * Begins the first chunk of the queue. Returns false if it must wait for the batch that is landing, or at the gates.
   */
  function begin(chunk: HeldChunk, current: OpenedLane): boolean {
    const batch = intake.batch();
    if (batch !== undefined && intake.isFull()) {
      if (landing.batch() !== undefined) return false;
      seal(batch, current);
    }
    if (!gates.letThrough(chunk, current, queue)) return false;
    queue.shift();
    intake.begin(chunk, current, gates.arrivedAt(chunk));
    return true;
  }

  function sealWhenDue(current: OpenedLane): void {
    if (landing.batch() !== undefined) return;
    const batch = intake.batch();
    if (batch !== undefined) {
      const full = ending !== undefined || intake.isFull();
      if (sealing.isDue(batch, { full, urgent: isUrgent(batch, current) })) seal(batch, current);
    } else if (ending !== undefined && queue.length === 0) callbacks.drained();
  }

  function seal(batch: Batch, current: OpenedLane): void {
    intake.clear();
    sealing.sealed(batch.records, isUrgent(batch, current));
    landing.begin(sealBatch(batch, current, snapshots), current);
  }

  /** Removes the chunks from both batches and returns them, oldest first. */
  function clearBatches(): HeldChunk[] {
    state = undefined;
    sealing.cancel();
    const chunks = [landing.batch(), intake.batch()].flatMap((batch) => batch?.chunks ?? []).map(({ chunk }) => chunk);
    landing.forget();
    intake.clear();
    return chunks;
  }

  return {
    take(chunk) {
      if (ending !== undefined) return chunk.failed?.(new Error('the lane takes no more records'));
      budget.add(chunk.bytes);
      queue.push(chunk);
      wake();
    },
    queuedChunks: () => queue.length,
    landedOffset: landing.landedOffset,
    start(opened) {
      state = opened;
      landing.startFrom(opened.marks);
      snapshots.startFrom(opened.replayed, opened.marks.events < 0);
    },
    advance,
    requeue: () => void queue.unshift(...clearBatches()),
    close() {
      ending ??= 'closing';
      advance();
    },
    stop() {
      ending = 'stopped';
      return [...clearBatches(), ...queue.splice(0)];
    },
    committed: landing.committed,
  };
}
