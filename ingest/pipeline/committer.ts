/**
 * Commits the offset up to which a lane is durable. One commit is in flight at a time; of several pending commits only
 * the newest is sent.
 */
export interface Committer {
  commit(nextOffset: number): void;
  /** Resolves when no commit is pending or in flight. */
  idle(): Promise<void>;
}

export interface CommitTarget {
  commit(nextOffset: number): Promise<void>;
}

/**
 * Creates a committer. Late or failed commits are harmless: after a restart the records are delivered again and
 * recognised as stored. A failed commit is not retried, because the next one includes it.
 */
export function createCommitter(target: CommitTarget): Committer {
  let waiting: number | undefined;
  let running: Promise<void> | undefined;

  return {
    commit(nextOffset) {
      waiting = nextOffset;
      running ??= run();
    },
    async idle() {
      await running;
    },
  };

  async function run(): Promise<void> {
    while (waiting !== undefined) {
      const next = waiting;
      waiting = undefined;
      await target.commit(next).catch(() => {});
    }
    running = undefined;
  }
}
