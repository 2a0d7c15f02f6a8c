import type { LandingState } from './landing-health.ts';
import { createLaneBatches, type LaneBatchesDeps } from './lane-batches.ts';
import type { OpenedLane } from './open-lane.ts';
import type { PackedRecords } from './packed-records.ts';
import type { PipelineLane, PipelineLog } from './pipeline-lane.ts';
import type { PipelineRecord } from './pipeline-record.ts';

/*
 * States of a lane:
 *
 *   opening ──► running ──► closed        close(): everything taken over is landed and committed first
 *      ▲           │
 *      └───────────┤ fenced: another process wrote to the lane; it is opened again and takes in its unlanded records again
 *                  │
 *   opening, running ──► closed           abandon(): the partition was lost; nothing more is landed or committed
 *   opening, running ──► failed           an unknown error; the owner is called
 *
 * The chunks of a lane, in every state, are in `lane-batches.ts`.
 */

export interface LaneDeps extends LaneBatchesDeps {
  readonly stopping: AbortController;
  readonly log: PipelineLog;
  readonly open: () => Promise<OpenedLane>;
  readonly pack: (records: readonly PipelineRecord[]) => PackedRecords;
  readonly landing: () => LandingState;
}

/** Creates the lane of a partition and opens it. Owns the state of the lane; its work is done by `createLaneBatches`. */
export function createLane(deps: LaneDeps): PipelineLane {
  const { lane, budget, stopping, owner, metrics, log } = deps;
  const batches = createLaneBatches(deps, { drained: () => end('closed'), fenced: reopen, failed: fail });
  const opening = Promise.withResolvers<void>();
  opening.promise.catch(() => {});
  const ended = Promise.withResolvers<void>();
  let phase: 'opening' | 'running' | 'closed' | 'failed' = 'opening';
  let state: OpenedLane | undefined;

  void start();

  return {
    lane,
    opened: opening.promise,
    offer: (chunk) => batches.take({ ...chunk, records: deps.pack(chunk.records) }),
    take: batches.take,
    isFull: () => budget.isFull(),
    fits: (bytes) => budget.fits(bytes),
    landedOffset: batches.landedOffset,
    stats: () => ({ state: phase, ...trackerStats(state), queuedChunks: batches.queuedChunks(), ...deps.landing() }),
    async close() {
      batches.close();
      await ended.promise;
      await batches.committed();
    },
    abandon: () => end('closed', new Error('the lane was given up')),
  };

  async function start(): Promise<void> {
    try {
      const opened = await deps.open();
      if (phase !== 'opening') return;
      state = opened;
      batches.start(opened);
      phase = 'running';
      log.info({ ...lane, mark: opened.marks.events, replayed: opened.replayed }, 'lane opened');
      if (opened.snapshotRefused) log.warn({ ...lane }, 'tracker snapshot of another version left aside');
      opening.resolve();
      batches.advance();
    } catch (error) {
      fail(error);
    }
  }

  /** What was not landed is taken in again by a fresh state: what the other writer landed is then known and left out. */
  function reopen(): void {
    metrics.fenced();
    log.warn({ ...lane }, 'another process has written to this lane; opening it again');
    batches.takeBack();
    state = undefined;
    phase = 'opening';
    void start();
  }

  function fail(error: unknown): void {
    if (phase === 'closed' || phase === 'failed') return;
    end('failed', error);
    owner.failed(error);
  }

  function end(final: 'closed' | 'failed', reason?: unknown): void {
    if (phase === 'closed' || phase === 'failed') return;
    phase = final;
    const left = batches.stop();
    stopping.abort(reason);
    budget.leave();
    metrics.forget(lane.topic, lane.partition);
    for (const chunk of left) chunk.failed?.(reason);
    opening.reject(reason ?? new Error('the lane was closed before it opened'));
    ended.resolve();
  }
}

/** Figures of the tracker of an opened lane; zeros while it is not open. */
function trackerStats(state: OpenedLane | undefined) {
  const tracker = state?.tracker.stats();
  return {
    programs: tracker?.programs ?? 0,
    openEpisodes: tracker?.openEpisodes ?? 0,
    evictions: Math.max(0, (tracker?.evictions ?? 0) - (state?.evictedBefore ?? 0)),
  };
}
