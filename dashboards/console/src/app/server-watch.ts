/** Waits for a server that did not respond. */
export interface ServerWatch {
  /** Starts to poll the server, unless it is already being polled. Calls `onBack` once the server responds. */
  lost(): void;
}

const POLL_MS = 3_000;

export function createServerWatch({
  answers,
  onBack,
  sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}: {
  /** Resolves with true if the server responds. */
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
