/** Runs work that a response must not wait for, because its duration would reveal information. */
export interface Background {
  /** Starts the work. Errors are passed to `onFailure`. */
  run(work: () => Promise<unknown>): void;
  /** Resolves when no work is in flight. Await it before the stores close. */
  settled(): Promise<void>;
}

export function createBackground({ onFailure }: { readonly onFailure: (error: unknown) => void }): Background {
  const inFlight = new Set<Promise<void>>();
  return {
    run(work) {
      const done: Promise<void> = Promise.resolve()
        .then(work)
        .then(() => {}, onFailure)
        .finally(() => inFlight.delete(done));
      inFlight.add(done);
    },
    async settled() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}
