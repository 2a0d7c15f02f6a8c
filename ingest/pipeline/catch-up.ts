/** Which partitions have so much left that large batches matter more than quick ones. */
export interface CatchUp {
  /** Everything before this offset was handed over. */
  handedOver(key: string, nextOffset: number): void;
  /** It was held up by us, and is read again. */
  resumed(key: string): void;
  isBehind(key: string): boolean;
  forget(key: string): void;
}

export interface CatchUpOptions {
  /** Where the partition ended when it was last asked; undefined before that. */
  readonly endOf: (key: string) => number | undefined;
  /** Milliseconds of a clock that only goes forwards. */
  readonly now?: () => number;
}

/** Left beyond what was handed over, from which on a partition is behind: until none is left. */
const BEHIND_RECORDS = 10_000;

/**
 * What is left but does not come for so long are no records: a partition may end in marks of transactions, or in those that were aborted, and its last offset is
 * then never handed over.
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
    handedOver(key, nextOffset) {
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
