import type { Lane } from '#analytics/clickhouse/port.ts';
import type { LandingState } from './landing-health.ts';
import type { PackedRecords } from './packed-records.ts';
import type { Chunk, HeldChunk } from './record.ts';
import type { LaneState } from './record-steps.ts';

/** Limits for the size and age of batches. */
export interface LaneLimits {
  readonly batchRecords: number;
  readonly batchBytes: number;
  /**
   * Maximum time that the first record of a batch waits for more records. Milliseconds; grows with the number of lanes.
   */
  readonly lingerMs: () => number;
  /**
   * The wait if the lane has sealed no batch for `lingerMs`, so that single events land without delay. Milliseconds.
   */
  readonly idleLingerMs: number;
  /** Minimum time between two seals while batches are small. Milliseconds; grows with the number of lanes. */
  readonly smallBatchIntervalMs: () => number;
  /** Minimum time between two early seals in the process. Milliseconds. */
  readonly earlyIntervalMs: number;
  /** A snapshot of the tracker is due after this many events, or after `snapshotMs` if there were any. */
  readonly snapshotEvents: number;
  readonly snapshotMs: number;
}

/** A batch of at most this many records is small. Single events in succession then do not wait for `lingerMs`. */
const SMALL_BATCH_RECORDS = 16;

/** A larger batch is not sealed early: on a busy lane the cost per inserted block would multiply. */
const MAX_EARLY_RECORDS = 2_000;

/**
 * While catching up, latency does not matter. Large blocks cost the server a third of the same records in small blocks.
 */
const CATCH_UP_LINGER_MS = 5_000;

/** Interval at which a lane that is behind checks whether it still is: no event reports that it has caught up. */
export const CATCH_UP_POLL_MS = 250;

/**
 * Returns when to seal a batch whose first record arrived at `openedAt`. The previous batch had `sealedRecords` records
 * and was sealed at `sealedAt`. A lane seals at most one batch per `lingerMs`, or per `smallBatchIntervalMs` after a
 * small batch. No record waits longer than `lingerMs`. A lane that was idle waits `idleLingerMs`. An urgent batch is
 * sealed at `earlyAt`, the next time an early seal is allowed. All times in milliseconds of one clock.
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
  /** Number of records in the batch. */
  readonly records: number;
  readonly behind: boolean;
  /** True if the batch has a new detection, or if a sender waits for it. */
  readonly urgent: boolean;
  readonly earlyAt: number;
}

/** A condition that records may have to wait for before they are processed. */
export interface Gate {
  /**
   * Returns undefined if the records can proceed, so that the usual case stays synchronous. `behind` are the following
   * records in order, which the lookup may include.
   */
  prepare(records: PackedRecords, state: LaneState, behind: Iterable<PackedRecords>): Promise<void> | undefined;
}

/** Calls all gates; returns undefined if none has to wait. */
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

/** Log of the pipeline: an object with fields, then a constant message. A pino logger satisfies it. */
export interface PipelineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** State of a lane, for health and metrics. */
export interface LaneStats extends LandingState {
  readonly state: 'opening' | 'running' | 'closed' | 'failed';
  readonly programs: number;
  readonly openEpisodes: number;
  /** Programs evicted since the lane was opened because the memory limit was reached. */
  readonly evictions: number;
  readonly queuedChunks: number;
}

/** A lane (one topic and partition) as its owner uses it. */
export interface PipelineLane {
  readonly lane: Lane;
  /** Resolves when the lane is open; rejects if it cannot be opened. */
  readonly opened: Promise<void>;
  /** Accepts a chunk. The callbacks of the chunk report its result. */
  offer(chunk: Chunk): void;
  /** As `offer`, for a packed chunk. */
  take(chunk: HeldChunk): void;
  isFull(): boolean;
  fits(bytes: number): boolean;
  /** Highest landed offset; -1 if nothing has landed. */
  landedOffset(): number;
  stats(): LaneStats;
  /** Lands and commits all accepted records, then closes. */
  close(): Promise<void>;
  /** Closes without landing or committing anything more. */
  abandon(): void;
}
