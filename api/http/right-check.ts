/** Interval of checks of the right to read, and how long a reader stays connected while the check fails, both in ms. */
export const RECHECK_MS = 5_000;
export const PATIENCE_MS = 30_000;

/** `unknown`: the check has failed for `patienceMs`. */
export type Right = 'held' | 'lost' | 'unknown';

/**
 * Returns a function that checks whether the reader of a long response may still read. `mayRead` may reject while a
 * store is unavailable. The right then remains valid for `patienceMs` after the last successful check.
 */
export function createRightCheck(
  mayRead: () => Promise<boolean>,
  { patienceMs }: { readonly patienceMs: number },
): () => Promise<Right> {
  let knownAt = performance.now();
  return async () => {
    try {
      if (!(await mayRead())) return 'lost';
      knownAt = performance.now();
      return 'held';
    } catch {
      return performance.now() - knownAt >= patienceMs ? 'unknown' : 'held';
    }
  };
}
