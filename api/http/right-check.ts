/** How often the right to read on is looked up, ms, and how long a reader stays while it can't be. */
export const RECHECK_MS = 5_000;
export const PATIENCE_MS = 30_000;

/** `unknown`: it could not be looked up for longer than is borne. */
export type Right = 'held' | 'lost' | 'unknown';

/**
 * Checks whether the reader of a long response may still read, at each call. `mayRead` may reject while a store is unavailable: then the reader stays, for
 * `patienceMs` since it was last known.
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
