/**
 * Spaces the batches that the lanes of a process seal before their linger time is over: each insert costs the server a part and merges. A store
 * that is slow to land batches gets fewer of them: no more than it lands one after the other.
 */
export interface EarlySeals {
  /** From when on a lane may seal a batch early. Milliseconds of the clock that is never set back. */
  nextAt(): number;
  /** Notes that a batch was sealed early. */
  taken(atMs: number): void;
  /** Notes how long a batch took from its seal until it had landed. */
  landed(tookMs: number): void;
}

/** When a batch was last sealed early, for pipelines in several threads. */
export type SharedSealTime = SharedArrayBuffer;

/** Batches whose median says how long a batch takes to land: one that met a merge says nothing about the next one. */
const RECENT_BATCHES = 5;

/** `shared`: threads with the same memory space their batches together. */
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

/** Each thread counts `performance.now` from its own start. This added, all count from the start of the machine. */
function clockOffsetMs(): number {
  offset ??= Number(process.hrtime.bigint()) / 1e6 - performance.now();
  return offset;
}
