/** Work that a response must not wait for, because its duration would reveal something. */
export interface Background {
  /** Starts it. A failure is reported to `onFailure`. */
  run(work: () => Promise<unknown>): void;
  /** Resolves when no work is in flight: before the stores close. */
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
