import type { Database } from '#api/postgres/database.ts';
import { addKeyUsage, type CountedRequests } from '../tables/key-usage.ts';
import { createDelayedWrite } from './delayed-write.ts';

/** Counts requests by key, day and part of the API, and writes the counts periodically. */
export interface KeyUsage {
  /** Counts a request in memory. */
  note(keyId: string, routeGroup: string): void;
  /** Writes the counts and stops. Never rejects. */
  close(): Promise<void>;
}

export interface KeyUsageOptions {
  /** Time from the first count to the write, ms. Default 10,000. */
  readonly everyMs?: number;
  /** Maximum number of counts in memory while they cannot be written; further ones are dropped. Default 50,000. */
  readonly maxCounts?: number;
  readonly now?: () => number;
}

export interface KeyUsageDeps {
  readonly database: Database;
  /** Called for failed writes. The next write repeats them. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Creates the counter. A killed process loses the counts of some seconds, which is acceptable because usage is only
 * displayed and not used for limits.
 */
export function createKeyUsage({ database, onFailure }: KeyUsageDeps, options: KeyUsageOptions = {}): KeyUsage {
  const { everyMs = 10_000, maxCounts = 50_000, now = Date.now } = options;
  let counts = new Map<string, CountedRequests>();
  const { schedule, close } = createDelayedWrite({ write, onFailure }, everyMs);

  function add(counted: CountedRequests): void {
    const key = `${counted.keyId} ${counted.day} ${counted.routeGroup}`;
    const before = counts.get(key);
    if (before === undefined && counts.size >= maxCounts) return;
    counts.set(key, { ...counted, requests: (before?.requests ?? 0) + counted.requests });
  }

  async function write(): Promise<void> {
    const batch = [...counts.values()];
    counts = new Map();
    if (batch.length === 0) return;
    try {
      await addKeyUsage(database, batch);
    } catch (error) {
      for (const counted of batch) add(counted);
      throw error;
    }
  }

  return {
    note(keyId, routeGroup) {
      add({ keyId, routeGroup, day: new Date(now()).toISOString().slice(0, 10), requests: 1 });
      schedule();
    },
    close,
  };
}
