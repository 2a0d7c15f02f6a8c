export interface DelayedWrite {
  /** Writes after the delay, unless a write is already scheduled. */
  schedule(): void;
  /** Writes the rest and stops. Never rejects. */
  close(): Promise<void>;
}

export interface DelayedWriteDeps {
  /** Writes what has accumulated. If it rejects, it must have kept it for the next write. */
  readonly write: () => Promise<void>;
  /** Called for failed writes. The next write repeats them. */
  readonly onFailure: (error: unknown) => void;
}

/** Gathers changes of some seconds into one write, one write at a time. Repeats a failed write after the delay. */
export function createDelayedWrite({ write, onFailure }: DelayedWriteDeps, delayMs: number): DelayedWrite {
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let closed = false;

  function schedule(): void {
    if (timer !== undefined || closed) return;
    timer = setTimeout(() => {
      timer = undefined;
      void writeNext();
    }, delayMs).unref();
  }

  function writeNext(): Promise<void> {
    writing = writing.then(write).catch((error: unknown) => {
      onFailure(error);
      schedule();
    });
    return writing;
  }

  return {
    schedule,
    async close() {
      closed = true;
      clearTimeout(timer);
      await writeNext();
    },
  };
}
