import type { Fenced, LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import { type Batch, type ChunkInBatch, countLanded, openBatch, outcomeOf, type SealedBatch } from './batch.ts';
import type { BudgetShare } from './byte-budget.ts';
import { createCommitter } from './committer.ts';
import type { LandingState } from './landing-health.ts';
import type { LaneOwner } from './lane-owner.ts';
import { type LaneRules, snapshotLane } from './lane-settings.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { OpenedLane } from './open-lane.ts';
import type { PackedRecords } from './packed-records.ts';
import {
  type Gate,
  type LaneLimits,
  LOOK_AGAIN_MS,
  type PipelineLane,
  type PipelineLog,
  sealingTime,
  waitAtGates,
} from './pipeline-lane.ts';
import { COUNTED, type PipelineRecord } from './pipeline-record.ts';
import type { HeldChunk } from './record.ts';
import type { LaneState, TakeIn } from './record-steps.ts';
import { createSnapshotSchedule } from './snapshot-schedule.ts';
import type { TakeTurn } from './turns.ts';

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
 * One batch is landing while the next one fills. Chunks stay here until they are landed, so being fenced costs no re-fetch.
 */

/**
 * How long a lane takes in records of one chunk before other work of the event loop has its turn, ms: a request of fifty thousand
 * events must not keep others waiting until it is through.
 */
const SLICE_MS = 15;
/** Records between two looks at the clock. */
const RECORDS_A_LOOK = 16;

export interface LaneDeps {
  readonly lane: Lane;
  readonly counted: boolean;
  readonly limits: LaneLimits;
  readonly budget: BudgetShare;
  readonly stopping: AbortController;
  readonly owner: LaneOwner;
  readonly metrics: PipelineMetrics;
  readonly log: PipelineLog;
  readonly nowMs: () => number;
  readonly store: LandingStore;
  readonly open: () => Promise<OpenedLane>;
  readonly rules: LaneRules;
  readonly gates: readonly Gate[];
  readonly pack: (records: readonly PipelineRecord[]) => PackedRecords;
  readonly takeIn: TakeIn;
  readonly takeTurn: TakeTurn;
  readonly landing: () => LandingState;
  readonly land: (batch: SealedBatch, state: LaneState) => Promise<'landed' | Fenced>;
}

export function createLane(deps: LaneDeps): PipelineLane {
  const { lane, counted, limits, budget, stopping, owner, metrics, log, nowMs, gates, takeIn } = deps;
  const queue: HeldChunk[] = [];
  const committer = createCommitter(owner);
  const snapshots = createSnapshotSchedule(limits, nowMs);
  const opening = Promise.withResolvers<void>();
  opening.promise.catch(() => {});
  const ended = Promise.withResolvers<void>();

  let phase: 'opening' | 'running' | 'closed' | 'failed' = 'opening';
  let state: OpenedLane | undefined;
  let batch: Batch | undefined;
  let landing: SealedBatch | undefined;
  let gating = false;
  /** The chunk the gates have let through, and the state they looked at: another state asks again. */
  let passed: { chunk: HeldChunk; state: OpenedLane } | undefined;
  /** The newest chunk of the batch while some of its records have not been taken in; `next` is the first of them. */
  let filling: { part: ChunkInBatch; next: number } | undefined;
  let closing = false;
  let awake = false;
  let landed = -1;
  let sealedAt = Number.NEGATIVE_INFINITY;
  let sealedRecords = 0;
  let lingerTimer: NodeJS.Timeout | undefined;

  void start();

  return {
    lane,
    opened: opening.promise,
    offer: (chunk) => take({ ...chunk, records: deps.pack(chunk.records) }),
    take,
    isFull: () => budget.isFull(),
    fits: (bytes) => budget.fits(bytes),
    landedOffset: () => landed,
    stats: () => {
      const tracker = state?.tracker.stats();
      return {
        state: phase,
        programs: tracker?.programs ?? 0,
        openEpisodes: tracker?.openEpisodes ?? 0,
        evictions: Math.max(0, (tracker?.evictions ?? 0) - (state?.evictedBefore ?? 0)),
        queuedChunks: queue.length,
        ...deps.landing(),
      };
    },
    async close() {
      closing = true;
      advance();
      await ended.promise;
      await committer.idle();
    },
    abandon: () => end('closed', new Error('the lane was given up')),
  };

  async function start(): Promise<void> {
    try {
      const opened = await deps.open();
      if (phase !== 'opening') return;
      state = opened;
      landed = Math.max(landed, opened.marks.events, opened.marks.deadLetters);
      snapshots.startFrom(opened.replayed, opened.marks.events < 0);
      phase = 'running';
      log.info({ ...lane, mark: opened.marks.events, replayed: opened.replayed }, 'lane opened');
      if (opened.snapshotRefused) log.warn({ ...lane }, 'tracker snapshot of another version left aside');
      opening.resolve();
      advance();
    } catch (error) {
      fail(error);
    }
  }

  function take(chunk: HeldChunk): void {
    if (phase === 'closed' || phase === 'failed' || closing) {
      chunk.failed?.(new Error('the lane takes no more records'));
      return;
    }
    budget.add(chunk.bytes);
    queue.push(chunk);
    wake();
  }

  /** One chunk per turn: the next fetch arrives, and the landing batch is sent, while it runs. */
  function wake(): void {
    if (awake) return;
    awake = true;
    deps.takeTurn(() => {
      awake = false;
      advance();
    });
  }

  /** Does everything that can be done now. Called after whatever may have changed that. */
  function advance(): void {
    if (phase !== 'running' || gating || state === undefined) {
      if (phase === 'opening' && closing && queue.length === 0) end('closed');
      return;
    }
    try {
      const chunk = filling === undefined ? queue[0] : undefined;
      if (chunk !== undefined) {
        if (batch !== undefined && isBatchFull(batch)) {
          if (landing !== undefined) return;
          seal(batch, state);
        }
        const waiting =
          passed?.chunk === chunk && passed.state === state ? undefined : waitAtGates(gates, chunk.records, state);
        if (waiting !== undefined) {
          gating = true;
          const pass = { chunk, state };
          waiting.then(() => {
            gating = false;
            passed = pass;
            advance();
          }, fail);
          return;
        }
        queue.shift();
        beginChunk(chunk, state);
      }
      fill(state);
      if (filling !== undefined || queue.length > 0) wake();
      else sealWhenDue(state);
    } catch (error) {
      fail(error);
    }
  }

  function beginChunk(chunk: HeldChunk, current: OpenedLane): void {
    batch ??= openBatch(current, deps);
    const part: ChunkInBatch = { chunk, accepted: 0, rejected: [], rejectedTotal: 0 };
    batch.chunks.push(part);
    filling = { part, next: 0 };
  }

  /** Takes in records of the chunk for at most `SLICE_MS`. Invariant: a batch is sealed only when no chunk of it is unfinished. */
  function fill(current: OpenedLane): void {
    if (filling === undefined || batch === undefined) return;
    const { part } = filling;
    const { records, bytes } = part.chunk;
    const endBy = performance.now() + SLICE_MS;
    let index = filling.next;
    for (; index < records.length; index++) {
      if (index % RECORDS_A_LOOK === 0 && index > filling.next && performance.now() >= endBy) {
        filling.next = index;
        return;
      }
      takeRecord(records, index, batch, part, current);
    }
    filling = undefined;
    batch.records += records.length;
    batch.bytes += bytes;
    batch.lastOffset = Math.max(batch.lastOffset, current.position);
    snapshots.count(part.accepted);
  }

  function takeRecord(
    records: PackedRecords,
    index: number,
    open: Batch,
    part: ChunkInBatch,
    current: OpenedLane,
  ): void {
    const given = records.offset(index);
    const offset = counted && given === COUNTED ? nextCountedOffset(current) : given;
    if (offset <= current.position) {
      if (offset <= current.marks.events) metrics.dropped('already_landed');
      return;
    }
    if (offset !== current.position + 1) open.gap = true;
    current.position = offset;
    takeIn(records, index, offset, open, part, current);
  }

  function nextCountedOffset(current: OpenedLane): number {
    return Math.max(current.position, current.marks.deadLetters) + 1;
  }

  function isBatchFull(open: Batch): boolean {
    return open.records >= limits.batchRecords || open.bytes >= limits.batchBytes;
  }

  function sealWhenDue(current: OpenedLane): void {
    if (landing !== undefined) return;
    if (batch === undefined) {
      if (closing && queue.length === 0) end('closed');
      return;
    }
    // With most of its share of the memory used up the lane may be fed no more, as when others have their turn: waiting longer would bring no company.
    // One that was begun behind lands as soon as nothing more is there: its records have waited long enough.
    const behind = owner.isBehind();
    const enough = closing || isBatchFull(batch) || !budget.hasRoom() || !owner.isFed() || (batch.behind && !behind);
    const due = sealingTime(limits, { openedAt: batch.openedAt, sealedAt, sealedRecords, behind });
    const wait = enough ? 0 : due - performance.now();
    if (wait <= 0) {
      seal(batch, current);
    } else if (lingerTimer === undefined) {
      const lookAgain = () => {
        lingerTimer = undefined;
        advance();
      };
      lingerTimer = setTimeout(lookAgain, behind ? Math.min(wait, LOOK_AGAIN_MS) : wait);
    }
  }

  function seal(open: Batch, current: OpenedLane): void {
    batch = undefined;
    sealedAt = performance.now();
    sealedRecords = open.records;
    const output = current.tracker.drain();
    const snapshot = snapshots.isDue() && open.events.rows > 0 ? snapshotLane(current) : undefined;
    if (snapshot !== undefined) snapshots.taken();
    landing = { ...open, output, snapshot };
    void land(landing, current);
  }

  async function land(sealed: SealedBatch, current: OpenedLane): Promise<void> {
    const startedAt = performance.now();
    try {
      const outcome = await deps.land(sealed, current);
      if (phase !== 'running') return;
      if (outcome !== 'landed') return reopen();
      countLanded(metrics, sealed, (performance.now() - startedAt) / 1000);
      landed = Math.max(landed, sealed.lastOffset);
      landing = undefined;
      sealed.events.release();
      sealed.deadLetters.release();
      if (!gating && filling === undefined) current.recentIds.landed();
      for (const part of sealed.chunks) {
        budget.remove(part.chunk.bytes);
        part.chunk.records.release();
        part.chunk.landed?.(outcomeOf(part));
      }
      if (sealed.lastOffset >= 0) committer.commit(sealed.lastOffset + 1);
      if (budget.hasRoom()) owner.hasRoom();
      advance();
    } catch (error) {
      fail(error);
    }
  }

  /** What was not landed is taken in again by a fresh state: what the other writer landed is then known and left out. */
  function reopen(): void {
    metrics.fenced();
    log.warn({ ...lane }, 'another process has written to this lane; opening it again');
    clearTimeout(lingerTimer);
    lingerTimer = undefined;
    const unlanded = [...(landing?.chunks ?? []), ...(batch?.chunks ?? [])].map((part) => part.chunk);
    queue.unshift(...unlanded);
    landing = undefined;
    batch = undefined;
    filling = undefined;
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
    clearTimeout(lingerTimer);
    stopping.abort(reason);
    const left = [...(landing?.chunks ?? []), ...(batch?.chunks ?? [])].map((part) => part.chunk).concat(queue);
    queue.length = 0;
    batch = undefined;
    filling = undefined;
    budget.leave();
    metrics.forget(lane.topic, lane.partition);
    for (const chunk of left) chunk.failed?.(reason);
    opening.reject(reason ?? new Error('the lane was closed before it opened'));
    ended.resolve();
  }
}
