import { createKeyHmac } from './key-hmac.ts';

/** Keys whose secret was compared with its hash not long ago. */
export interface RememberedKeys {
  /** What a key is remembered by: nothing that outlives or leaves this process, and not the key. */
  hmacOf(presented: string): string;
  has(hmac: string): boolean;
  add(hmac: string): void;
}

export interface RememberedKeysOptions {
  /** How long a comparison serves, ms. Default 10 minutes. */
  readonly lifeMs?: number;
  /** Keys that are remembered; beyond it the oldest goes. Default 10,000. */
  readonly maxKeys?: number;
}

/**
 * A hash never changes, so that a secret matches it stays true; whether the key may be used is checked every time. An
 * entry is an HMAC under a key of this process: a memory dump of one process opens nothing on another.
 */
export function createRememberedKeys(options: RememberedKeysOptions = {}): RememberedKeys {
  const { lifeMs = 10 * 60_000, maxKeys = 10_000 } = options;
  const hmacOf = createKeyHmac();
  /** When each is forgotten; the oldest stands first. */
  const hmacs = new Map<string, number>();
  return {
    hmacOf,
    has(hmac) {
      const until = hmacs.get(hmac);
      if (until === undefined) return false;
      if (until > performance.now()) return true;
      hmacs.delete(hmac);
      return false;
    },
    add(hmac) {
      hmacs.delete(hmac);
      if (hmacs.size >= maxKeys) hmacs.delete(hmacs.keys().next().value ?? '');
      hmacs.set(hmac, performance.now() + lifeMs);
    },
  };
}
