import { createKeyHmac } from './key-hmac.ts';

/** Keys whose secret was compared with its hash not long ago. */
export interface RememberedKeys {
  /** What a key is remembered by: nothing that outlives or leaves this process, and not the key. */
  hmacOf(presented: string): string;
  /** The hash that the secret matched; undefined when it is not remembered. */
  matched(hmac: string): string | undefined;
  add(hmac: string, hash: string): void;
}

export interface RememberedKeysOptions {
  /** How long a comparison serves, ms. Default 10 minutes. */
  readonly lifeMs?: number;
  /** Keys that are remembered; beyond it the oldest goes. Default 10,000. */
  readonly maxKeys?: number;
}

/**
 * A hash never changes, so that a secret matches it stays true; whether the key may be used, and still has this hash, is checked every time. An
 * entry is an HMAC under a key of this process: a memory dump of one process opens nothing on another.
 */
export function createRememberedKeys(options: RememberedKeysOptions = {}): RememberedKeys {
  const { lifeMs = 10 * 60_000, maxKeys = 10_000 } = options;
  const hmacOf = createKeyHmac();
  /** What each matched, and when it is forgotten; the oldest stands first. */
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
