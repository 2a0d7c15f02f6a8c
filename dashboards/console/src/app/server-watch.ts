/** Waits for a server that did not respond. */
export interface ServerWatch {
  /** Begins to poll the server, unless that has begun already. `onBack` is called once it responds. */
  lost(): void;
}

const POLL_MS = 3_000;

export function createServerWatch({
  answers,
  onBack,
  sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}: {
  /** Whether the server responds. */
  readonly answers: () => Promise<boolean>;
  readonly onBack: () => void;
  readonly sleep?: (ms: number) => Promise<void>;
}): ServerWatch {
  let polling = false;
  async function poll() {
    do await sleep(POLL_MS);
    while (!(await answers()));
    polling = false;
    onBack();
  }
  return {
    lost() {
      if (polling) return;
      polling = true;
      void poll();
    },
  };
}
