/** A position in the write-ahead log of the primary, with the time in ms when it was read. */
export interface Sample {
  readonly at: number;
  readonly position: bigint;
}

/** Maximum age of the data in a list, in ms. */
export const MAX_AGE_MS = 5_000;
/**
 * How long the primary serves a caller after a write, in ms. It exceeds `MAX_AGE_MS`: afterwards, the replica either
 * has the write or is too old to be used.
 */
export const AFTER_WRITE_MS = 2 * MAX_AGE_MS;

/** Parses a position in the format of PostgreSQL: `16/B374D848`. */
export function walPosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/**
 * Returns the time up to which a replica with this replay position is complete; undefined if the position is older than
 * all samples.
 */
export function completeUpTo(samples: readonly Sample[], replayed: bigint): number | undefined {
  return samples.findLast(({ position }) => position <= replayed)?.at;
}

/** Returns true if a list may be read from the replica: it is recent enough, and contains the writes of the caller. */
export function mayReadReplica(state: {
  readonly completeUpTo: number | undefined;
  readonly now: number;
  /** True if the caller wrote within the last `AFTER_WRITE_MS`; undefined if unknown. */
  readonly wroteLately: boolean | undefined;
}): boolean {
  if (state.completeUpTo === undefined || state.wroteLately !== false) return false;
  return state.now - state.completeUpTo <= MAX_AGE_MS;
}
