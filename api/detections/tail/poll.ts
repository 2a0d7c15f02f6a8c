/** Runs `step` repeatedly, never concurrently: immediately while the step reports more work, otherwise after a pause. */
export interface Polling {
  /** Stops polling. Resolves when the running step has ended. */
  stop(): Promise<void>;
}

export function poll(
  step: () => Promise<{ readonly more: boolean }>,
  { pauseMs, onError }: { readonly pauseMs: number; readonly onError: (error: unknown) => void },
): Polling {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = run();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };

  async function run(): Promise<void> {
    let again = true;
    while (again && !stopped) {
      again = await step().then(
        ({ more }) => more,
        (error: unknown) => {
          onError(error);
          return false;
        },
      );
    }
    if (stopped) return;
    timer = setTimeout(() => {
      running = run();
    }, pauseMs);
    timer.unref();
  }
}
