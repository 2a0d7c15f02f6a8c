import { createKeyHmac } from './key-hmac.ts';

/** Cache of keys whose secret was recently compared with its hash. */
export interface RememberedKeys {
  /** Returns the cache key of a presented key. It is valid in this process only and does not reveal the key. */
  hmacOf(presented: string): string;
  /** Returns the hash that the secret matched. Undefined if it is not cached. */
  matched(hmac: string): string | undefined;
  add(hmac: string, hash: string): void;
}

export interface RememberedKeysOptions {
  /** Lifetime of a comparison, ms. Default 10 minutes. */
  readonly lifeMs?: number;
  /** Maximum number of cached keys; the oldest is removed first. Default 10,000. */
  readonly maxKeys?: number;
}

/**
 * Creates the cache. A hash never changes, so a match stays valid. Callers check every time whether the key may be used
 * and still has this hash. Entries are HMACs with a secret of this process, so a memory dump of one process gives no
 * access to another.
 */
export function createRememberedKeys(options: RememberedKeysOptions = {}): RememberedKeys {
  const { lifeMs = 10 * 60_000, maxKeys = 10_000 } = options;
  const hmacOf = createKeyHmac();
  /** Matched hash and expiry of each entry, oldest first. */
  const hmacs = new Map<string, { readonly hash: string; readonly until: number }>();
  return {
    hmacOf,
    matched(hmac) {
      const found = hmacs.get(hmac);
      if (found === undefined) return undefined;
      if (found.until > performance.now()) return found.hash;
      hmacs.delete(hmac);
      return undefined;
    },
    add(hmac, hash) {
      hmacs.delete(hmac);
      if (hmacs.size >= maxKeys) hmacs.delete(hmacs.keys().next().value ?? '');
      hmacs.set(hmac, { hash, until: performance.now() + lifeMs });
    },
  };
}
