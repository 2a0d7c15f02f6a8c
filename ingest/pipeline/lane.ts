import type { LandingState } from './landing-health.ts';
import { createLaneBatches, type LaneBatchesDeps } from './lane-batches.ts';
import type { OpenedLane } from './open-lane.ts';
import type { PackedRecords } from './packed-records.ts';
import type { PipelineLane, PipelineLog } from './pipeline-lane.ts';
import type { PipelineRecord } from './pipeline-record.ts';

/*
 * States of a lane:
 *
 *   opening ──► running ──► closed        close(): lands and commits all accepted records first
 *      ▲           │
 *      └───────────┤ fenced: another process wrote to the lane; the lane reopens and processes its unlanded chunks again
 *                  │
 *   opening, running ──► closed           abandon(): the partition was revoked; lands and commits nothing more
 *   opening, running ──► failed           unknown error; calls the owner
 *
 * `lane-batches.ts` holds the chunks of a lane in every state.
 */

export interface LaneDeps extends LaneBatchesDeps {
  readonly stopping: AbortController;
  readonly log: PipelineLog;
  readonly open: () => Promise<OpenedLane>;
  readonly pack: (records: readonly PipelineRecord[]) => PackedRecords;
  readonly landing: () => LandingState;
}

/** Creates the lane of a partition and opens it. Owns the state of the lane; `createLaneBatches` does the work. */
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
    abandon: () => end('closed', new Error('the lane was abandoned')),
  };

  async function start(): Promise<void> {
    try {
      const opened = await deps.open();
      if (phase !== 'opening') return;
      state = opened;
      batches.start(opened);
      phase = 'running';
      log.info({ ...lane, mark: opened.marks.events, replayed: opened.replayed }, 'lane opened');
      if (opened.snapshotRefused) log.warn({ ...lane }, 'tracker snapshot of another version ignored');
      opening.resolve();
      batches.advance();
    } catch (error) {
      fail(error);
    }
  }

  /**
   * Processes the unlanded chunks again with new state, which includes what the other writer landed, so those records
   * are skipped.
   */
  function reopen(): void {
    metrics.fenced();
    log.warn({ ...lane }, 'another process wrote to this lane, reopening it');
    batches.requeue();
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

/** Returns tracker statistics of an open lane; zeros if it is not open. */
function trackerStats(state: OpenedLane | undefined) {
  const tracker = state?.tracker.stats();
  return {
    programs: tracker?.programs ?? 0,
    openEpisodes: tracker?.openEpisodes ?? 0,
    evictions: Math.max(0, (tracker?.evictions ?? 0) - (state?.evictedBefore ?? 0)),
  };
}
