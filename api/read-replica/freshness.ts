/** Positions in the write-ahead log of the primary, with the time when each was read, ms. */
export interface Sample {
  readonly at: number;
  readonly position: bigint;
}

/** The oldest data that a list may show, ms. */
export const MAX_AGE_MS = 5_000;
/**
 * How long a caller that has written is served by the primary, ms. Longer than `MAX_AGE_MS`: when the time is up, the replica has what was
 * written, or is too old to be used.
 */
export const AFTER_WRITE_MS = 2 * MAX_AGE_MS;

/** Reads a position as PostgreSQL writes it: `16/B374D848`. */
export function walPosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The time up to which a replica that has replayed this much has everything; undefined when it is older than all samples. */
export function completeUpTo(samples: readonly Sample[], replayed: bigint): number | undefined {
  return samples.findLast(({ position }) => position <= replayed)?.at;
}

/** Whether a list may be read from the replica: it is young enough, and has what the caller wrote. */
export function mayReadReplica(state: {
  readonly completeUpTo: number | undefined;
  readonly now: number;
  /** The caller wrote within the last `AFTER_WRITE_MS`; undefined: this is not known. */
  readonly wroteLately: boolean | undefined;
}): boolean {
  if (state.completeUpTo === undefined || state.wroteLately !== false) return false;
  return state.now - state.completeUpTo <= MAX_AGE_MS;
}
