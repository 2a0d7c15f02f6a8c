/** Spaces the batches that the lanes of a pipeline seal before their linger time is over: each insert costs the server a part and merges. */
export interface EarlySeals {
  /** From when on a lane may seal a batch early. Milliseconds of the clock that is never set back. */
  nextAt(): number;
  /** Notes that a batch was sealed early. */
  taken(atMs: number): void;
}

export function createEarlySeals(intervalMs: number): EarlySeals {
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    nextAt: () => nextAt,
    taken(atMs) {
      nextAt = atMs + intervalMs;
    },
  };
}
