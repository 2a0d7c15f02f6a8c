import { scannerKeysOf } from './scan-signature.ts';

/** The public keys with which a scanner signs. */
export interface ScannerKeys {
  /** Undefined if the scanner publishes no such key. Rejects with `ScannerKeysUnavailable`. */
  find(id: string): Promise<string | undefined>;
}

/** The list of keys could not be fetched. A retry may succeed. */
export class ScannerKeysUnavailable extends Error {
  override readonly name = 'ScannerKeysUnavailable';
}

const MAX_AGE_MS = 3_600_000;
/** Minimum interval between fetches. An unknown id may be that of a new key, but anyone can send one. */
const MIN_AGE_MS = 60_000;

/**
 * Fetches the list at most once a minute, and at least once an hour while it is in use. `fetchList` resolves to its
 * text, or undefined if it is unavailable.
 */
export function createScannerKeys(
  { fetchList }: { readonly fetchList: () => Promise<string | undefined> },
  now: () => number = () => performance.now(),
): ScannerKeys {
  let known: { readonly keys: ReadonlyMap<string, string>; readonly at: number } | undefined;
  let fetching: Promise<void> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;

  async function fetchOnce(): Promise<void> {
    triedAt = now();
    const text = await fetchList();
    const keys = text === undefined ? undefined : scannerKeysOf(text);
    if (keys !== undefined) known = { keys, at: now() };
  }

  return {
    async find(id) {
      const fresh = known !== undefined && now() - known.at < MAX_AGE_MS;
      if ((!fresh || known?.keys.has(id) !== true) && now() - triedAt >= MIN_AGE_MS) {
        fetching ??= fetchOnce().finally(() => {
          fetching = undefined;
        });
      }
      await fetching;
      if (known === undefined) throw new ScannerKeysUnavailable('the keys of the scanner cannot be fetched');
      return known.keys.get(id);
    },
  };
}
