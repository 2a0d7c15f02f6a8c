import { createKeyMark } from './key-mark.ts';

/** Keys whose secret was compared with its hash not long ago. */
export interface RememberedKeys {
  /** What a key is remembered by: nothing that outlives or leaves this process, and not the key. */
  markOf(presented: string): string;
  has(mark: string): boolean;
  add(mark: string): void;
}

export interface RememberedKeysOptions {
  /** How long a comparison serves, ms. Default 10 minutes. */
  readonly lifeMs?: number;
  /** Keys that are remembered; beyond it the oldest goes. Default 10,000. */
  readonly maxKeys?: number;
}

/**
 * A hash never changes, so that a secret matches it stays true; whether the key may be used is another question, asked every time. The
 * mark is an HMAC under a key of this process: a dump of the memory of one process opens nothing anywhere else.
 */
export function createRememberedKeys(options: RememberedKeysOptions = {}): RememberedKeys {
  const { lifeMs = 10 * 60_000, maxKeys = 10_000 } = options;
  const markOf = createKeyMark();
  /** When each is forgotten; the oldest stands first. */
  const marks = new Map<string, number>();
  return {
    markOf,
    has(mark) {
      const until = marks.get(mark);
      if (until === undefined) return false;
      if (until > performance.now()) return true;
      marks.delete(mark);
      return false;
    },
    add(mark) {
      marks.delete(mark);
      if (marks.size >= maxKeys) marks.delete(marks.keys().next().value ?? '');
      marks.set(mark, performance.now() + lifeMs);
    },
  };
}
