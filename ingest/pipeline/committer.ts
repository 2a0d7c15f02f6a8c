/** Commits how far a lane is durable: one commit at a time; of several waiting ones only the newest. */
export interface Committer {
  commit(nextOffset: number): void;
  /** Resolves when nothing is left to say. */
  idle(): Promise<void>;
}

export interface CommitTarget {
  commit(nextOffset: number): Promise<void>;
}

/**
 * Commits may lag or fail without harm: after a restart records come again and are known to be landed. So a failure is not
 * retried here; the next commit says more anyway.
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
