/** How often the right to read is checked, ms, and how long a reader stays connected while it cannot be checked. */
export const RECHECK_MS = 5_000;
export const PATIENCE_MS = 30_000;

/** `unknown`: it could not be checked for `patienceMs`. */
export type Right = 'held' | 'lost' | 'unknown';

/**
 * Returns a function that checks whether the reader of a long response may still read. `mayRead` may reject while a store is unavailable: the right then
 * counts as held for `patienceMs` after the last successful check.
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
