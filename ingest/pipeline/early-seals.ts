/**
 * Limits how often the lanes of a process seal a batch before its linger time ends, because each insert creates a part
 * that the server must merge. If the store is slow, the interval is at least the time that a batch takes to land.
 */
export interface EarlySeals {
  /** The earliest time at which a lane may seal a batch early. Monotonic clock, milliseconds. */
  nextAt(): number;
  /** Notes that a batch was sealed early. */
  taken(atMs: number): void;
  /** Notes how long a batch took from its seal until it had landed. */
  landed(tookMs: number): void;
}

/** When a batch was last sealed early, in shared memory for pipelines in several threads. */
export type SharedSealTime = SharedArrayBuffer;

/** The landing time is the median of this many batches, because a batch that coincides with a merge is an outlier. */
const RECENT_BATCHES = 5;

/** Pipelines of all threads that pass the same `shared` memory share one limit. */
export function createEarlySeals(intervalMs: number, shared: SharedSealTime = createSharedSealTime()): EarlySeals {
  const takenAt = new BigInt64Array(shared);
  const recentMs: number[] = [];
  let landingMs = 0;
  return {
    nextAt() {
      const micros = Atomics.load(takenAt, 0);
      if (micros === NEVER) return Number.NEGATIVE_INFINITY;
      return Number(micros) / 1_000 - clockOffsetMs() + Math.max(intervalMs, landingMs);
    },
    taken(atMs) {
      Atomics.store(takenAt, 0, BigInt(Math.round((atMs + clockOffsetMs()) * 1_000)));
    },
    landed(tookMs) {
      recentMs.push(tookMs);
      if (recentMs.length > RECENT_BATCHES) recentMs.shift();
      const sorted = recentMs.toSorted((a, b) => a - b);
      landingMs = sorted[(sorted.length - 1) >> 1] as number;
    },
  };
}

const NEVER = 0n;

export function createSharedSealTime(): SharedSealTime {
  return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
}

let offset: number | undefined;

/**
 * `performance.now` of each thread starts at 0. Adding this offset makes all threads count from the start of the
 * machine.
 */
function clockOffsetMs(): number {
  offset ??= Number(process.hrtime.bigint()) / 1e6 - performance.now();
  return offset;
}
