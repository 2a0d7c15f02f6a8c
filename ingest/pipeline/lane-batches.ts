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
 * The chunks of a lane on their way into ClickHouse: first in the queue, then in the batch that takes in records, then in the batch that is
 * landing. One batch lands while the next one fills. Chunks stay here until they have landed, so that being fenced costs no re-fetch.
 */
export interface LaneBatches {
  /** Queues a chunk; a chunk that comes after `close` or `stop` has failed. */
  take(chunk: HeldChunk): void;
  queuedChunks(): number;
  landedOffset(): number;
  /** Lets chunks be taken in, with the state of the lane. `advance` begins with it. */
  start(state: OpenedLane): void;
  /** Does everything that can be done now. */
  advance(): void;
  /** Puts all chunks that have not landed back into the queue, in their order. They wait there for `start`. */
  takeBack(): void;
  /** Takes no more chunks, and lands without linger what is here. */
  close(): void;
  /** Ends the work at once, and returns the chunks that have not landed, in their order. */
  stop(): HeldChunk[];
  /** Resolves when no commit is in flight. */
  committed(): Promise<void>;
}

export interface LaneBatchesDeps extends BatchIntakeDeps, BatchLandingDeps {
  readonly gates: readonly Gate[];
  readonly enqueueTask: EnqueueTask;
}

interface LaneBatchesCallbacks {
  /** Everything has landed after `close`. */
  readonly drained: () => void;
  /** Another process has written to the lane. */
  readonly fenced: () => void;
  readonly failed: (error: unknown) => void;
}

/** A new detection is to be known soon, and a sender that waits has other events to send. */
function isUrgent({ isAwaited }: Batch, { tracker }: OpenedLane): boolean {
  return isAwaited || tracker.hasAnnouncements();
}

/**
 * The states of a lane are those of its owner, `createLane`: it calls `start` when the lane is running, and `takeBack` or `stop` when it no longer is.
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
  /** One chunk per turn: the next fetch arrives, and the landing batch is sent, while it runs. */
  const wake = coalesceTasks(deps.enqueueTask, advance);
  /** Undefined unless the lane is running. */
  let state: OpenedLane | undefined;
  let ending: 'closing' | 'stopped' | undefined;

  /** Called after every change that may let something be done. */
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

  /** Begins the first chunk of the queue. Returns false when it has to wait: for the batch that is landing, or at the gates. */
  function begin(chunk: HeldChunk, current: OpenedLane): boolean {
    const batch = intake.batch();
    if (batch !== undefined && intake.isFull()) {
      if (landing.batch() !== undefined) return false;
      seal(batch, current);
    }
    if (!gates.letThrough(chunk, current, queue)) return false;
    queue.shift();
    intake.begin(chunk, current, gates.cameAt(chunk));
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

  /** Takes the chunks out of both batches, oldest first. */
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
    takeBack: () => void queue.unshift(...clearBatches()),
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
