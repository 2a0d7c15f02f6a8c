import type { Lane } from '#analytics/clickhouse/port.ts';
import type { LandingState } from './landing-health.ts';
import type { PackedRecords } from './packed-records.ts';
import type { Chunk, HeldChunk } from './record.ts';
import type { LaneState } from './record-steps.ts';

/** How large batches get and how long they wait. */
export interface LaneLimits {
  readonly batchRecords: number;
  readonly batchBytes: number;
  /** How long the first record of a batch may wait for company. Milliseconds; grows with the number of lanes. */
  readonly lingerMs: () => number;
  /** How long it waits for company when the lane has sealed no batch for `lingerMs`, so that single events land at once. Milliseconds. */
  readonly idleLingerMs: number;
  /** Shortest time between the seals of two batches while they are small. Milliseconds; grows with the number of lanes. */
  readonly smallBatchIntervalMs: () => number;
  /** Shortest time between two batches that lanes of the process seal early. Milliseconds. */
  readonly earlyIntervalMs: number;
  /** A snapshot of the tracker after this many events, or this much time with any. */
  readonly snapshotEvents: number;
  readonly snapshotMs: number;
}

/** A batch of at most this many records is small: single events that arrive one after the other do not wait for `lingerMs`. */
const SMALL_BATCH_RECORDS = 16;

/** A larger batch is not sealed early: what the server spends on a block would be spent many times over on a busy lane. */
const MAX_EARLY_RECORDS = 2_000;

/** While catching up, latency does not matter, and large blocks cost the server a third of small ones. */
const CATCH_UP_LINGER_MS = 5_000;

/** How soon a lane that is behind checks again whether it still is: the end of the records is not reported. */
export const LOOK_AGAIN_MS = 250;

/**
 * When a batch is sealed whose first record came at `openedAt`, after one of `sealedRecords` records was sealed at `sealedAt`. A lane
 * seals a batch every `lingerMs` at most, after a small batch every `smallBatchIntervalMs`, and no record waits longer than `lingerMs`. A lane that
 * was idle waits `idleLingerMs`. An urgent batch is sealed at `earlyAt`, when the lanes may seal one early again. All in milliseconds of one clock.
 */
export function sealingTime(limits: LaneLimits, times: BatchTimes): number {
  const { openedAt, sealedAt, sealedRecords, records, behind, urgent, earlyAt } = times;
  const linger = limits.lingerMs();
  if (behind) return openedAt + Math.max(CATCH_UP_LINGER_MS, linger);
  const interval = sealedRecords <= SMALL_BATCH_RECORDS ? Math.min(linger, limits.smallBatchIntervalMs()) : linger;
  const regular = sealedAt + interval;
  const earliest = urgent && records <= MAX_EARLY_RECORDS ? Math.min(regular, earlyAt) : regular;
  return Math.min(openedAt + linger, Math.max(openedAt + limits.idleLingerMs, earliest));
}

interface BatchTimes {
  readonly openedAt: number;
  readonly sealedAt: number;
  readonly sealedRecords: number;
  /** Records that the batch has. */
  readonly records: number;
  readonly behind: boolean;
  /** The batch has a new detection, or a sender waits for it. */
  readonly urgent: boolean;
  readonly earlyAt: number;
}

/** Something records may have to wait for before they can be taken in. */
export interface Gate {
  /**
   * `undefined` when nothing has to be waited for: the usual case costs no turn of the event loop. `behind` are the records that come next, in their
   * order, whose own wait it may shorten.
   */
  prepare(records: PackedRecords, state: LaneState, behind: Iterable<PackedRecords>): Promise<void> | undefined;
}

/** Asks all gates at once; `undefined` when none has to be waited for. */
export function waitAtGates(
  gates: readonly Gate[],
  records: PackedRecords,
  state: LaneState,
  behind: Iterable<PackedRecords>,
): Promise<unknown> | undefined {
  let waiting: Promise<void>[] | undefined;
  for (const gate of gates) {
    const wait = gate.prepare(records, state, behind);
    if (wait === undefined) continue;
    waiting ??= [];
    waiting.push(wait);
  }
  return waiting === undefined ? undefined : Promise.all(waiting);
}

/** Where the pipeline says what happens to it: an object, then a constant message. Satisfied by a pino logger. */
export interface PipelineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How a lane stands, for health and metrics. */
export interface LaneStats extends LandingState {
  readonly state: 'opening' | 'running' | 'closed' | 'failed';
  readonly programs: number;
  readonly openEpisodes: number;
  /** Programs forgotten since the lane was opened, because the memory bound was reached. */
  readonly evictions: number;
  readonly queuedChunks: number;
}

/** One (topic, partition) as its owner sees it. */
export interface PipelineLane {
  readonly lane: Lane;
  /** Resolves when the lane has been opened; rejects when it never will be. */
  readonly opened: Promise<void>;
  /** Takes a chunk over. The callbacks of the chunk report its result. */
  offer(chunk: Chunk): void;
  /** The same for one that is packed already. */
  take(chunk: HeldChunk): void;
  isFull(): boolean;
  fits(bytes: number): boolean;
  /** Highest landed offset; -1 before the first. */
  landedOffset(): number;
  stats(): LaneStats;
  /** Lands and commits everything taken over first. */
  close(): Promise<void>;
  /** Lands and commits nothing more. */
  abandon(): void;
}
