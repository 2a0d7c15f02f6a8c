/** Decides which partitions have so much lag that throughput matters more than latency. */
export interface CatchUp {
  /** Notes that all records before this offset were passed to the lane. */
  delivered(key: string, nextOffset: number): void;
  /** Notes that a partition that this process had paused is read again. */
  resumed(key: string): void;
  isBehind(key: string): boolean;
  forget(key: string): void;
}

export interface CatchUpOptions {
  /** Last known end offset of the partition; undefined before the first fetch. */
  readonly endOf: (key: string) => number | undefined;
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
}

/** A partition with more unread records than this is behind, until it has no unread records. */
const BEHIND_RECORDS = 10_000;

/**
 * If no record was fetched for this long, the remaining offsets hold no records. A partition may end with transaction
 * markers or aborted records, which are never delivered.
 */
const QUIET_MS = 1_000;

interface Progress {
  nextOffset: number;
  readAt: number;
  behind: boolean;
}

export function createCatchUp({ endOf, now = () => performance.now() }: CatchUpOptions): CatchUp {
  const progress = new Map<string, Progress>();

  return {
    delivered(key, nextOffset) {
      progress.set(key, { nextOffset, readAt: now(), behind: progress.get(key)?.behind ?? false });
    },
    resumed(key) {
      const known = progress.get(key);
      if (known !== undefined) known.readAt = now();
    },
    isBehind(key) {
      const known = progress.get(key);
      if (known === undefined) return false;
      const left = (endOf(key) ?? 0) - known.nextOffset;
      known.behind = left > (known.behind ? 0 : BEHIND_RECORDS) && now() - known.readAt < QUIET_MS;
      return known.behind;
    },
    forget: (key) => void progress.delete(key),
  };
}
