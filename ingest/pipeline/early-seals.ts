/**
 * Spaces the batches that the lanes of a pipeline seal before their linger time is over: each insert costs the server a part and merges. A store
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

/** Batches whose median says how long a batch takes to land: one that met a merge says nothing about the next one. */
const RECENT_BATCHES = 5;

export function createEarlySeals(intervalMs: number): EarlySeals {
  let takenAt: number | undefined;
  const recentMs: number[] = [];
  let landingMs = 0;
  return {
    nextAt() {
      if (takenAt === undefined) return Number.NEGATIVE_INFINITY;
      return takenAt + Math.max(intervalMs, landingMs);
    },
    taken(atMs) {
      takenAt = atMs;
    },
    landed(tookMs) {
      recentMs.push(tookMs);
      if (recentMs.length > RECENT_BATCHES) recentMs.shift();
      const sorted = recentMs.toSorted((a, b) => a - b);
      landingMs = sorted[(sorted.length - 1) >> 1] as number;
    },
  };
}
