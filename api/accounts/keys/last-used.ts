import type { Database } from '#api/postgres/database.ts';
import { writeKeyUses } from '../tables/api-keys.ts';
import { createDelayedWrite } from './delayed-write.ts';

/** Records when keys were last used, and writes it periodically. */
export interface LastUsed {
  /** Records a use in memory. */
  note(keyId: string): void;
  /** Writes the recorded uses and stops. Never rejects. */
  close(): Promise<void>;
}

export interface LastUsedOptions {
  /** From the first use to the write, ms. Default 5,000. */
  readonly everyMs?: number;
  /** Maximum number of keys in memory while they cannot be written; uses of other keys are dropped. Default 20,000. */
  readonly maxKeys?: number;
}

export interface LastUsedDeps {
  readonly database: Database;
  /** Called for failed writes. The next write repeats them. */
  readonly onFailure: (error: unknown) => void;
}

/** Writes the uses of several seconds with one UPDATE. A write per request would be its most expensive step. */
export function createLastUsed({ database, onFailure }: LastUsedDeps, options: LastUsedOptions = {}): LastUsed {
  const { everyMs = 5_000, maxKeys = 20_000 } = options;
  let uses = new Map<string, number>();
  const { schedule, close } = createDelayedWrite({ write, onFailure }, everyMs);

  async function write(): Promise<void> {
    const batch = uses;
    uses = new Map();
    if (batch.size === 0) return;
    const now = performance.now();
    try {
      await writeKeyUses(
        database,
        Array.from(batch, ([keyId, at]) => ({ keyId, agoMs: now - at })),
      );
    } catch (error) {
      for (const [keyId, at] of batch) if (!uses.has(keyId) && uses.size < maxKeys) uses.set(keyId, at);
      throw error;
    }
  }

  return {
    note(keyId) {
      if (uses.size >= maxKeys && !uses.has(keyId)) return;
      uses.set(keyId, performance.now());
      schedule();
    },
    close,
  };
}
