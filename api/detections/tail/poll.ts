/** Does `step` again and again, never twice at a time: at once while it says there is more, else after a pause. */
export interface Polling {
  /** Ends it; resolves when the running step is done. */
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
