/** Commits the offset up to which a lane is durable: one commit at a time, and of several that wait only the newest. */
export interface Committer {
  commit(nextOffset: number): void;
  /** Resolves when no commit waits or is in flight. */
  idle(): Promise<void>;
}

export interface CommitTarget {
  commit(nextOffset: number): Promise<void>;
}

/**
 * Commits may lag or fail without harm: after a restart the records come again and are recognised as stored. A failure is not retried, because the next
 * commit covers it.
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
