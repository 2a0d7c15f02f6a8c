export const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/**
 * Ctrl-C reaches a program started by npx twice: from the terminal and from npm. The second signal must not count as a
 * request to stop immediately.
 */
const TWIN_MS = 1_000;

/**
 * Calls `stop` at the first stop signal. At a second one, unless it is such a duplicate, the process exits with 1.
 * Returns a function that removes the listeners.
 */
export function onStopSignal(stop: (signal: StopSignal) => void): () => void {
  let first: { readonly signal: StopSignal; readonly at: number } | undefined;
  const listener = (signal: StopSignal): void => {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      stop(signal);
    } else if (signal !== first.signal || performance.now() - first.at >= TWIN_MS) process.exit(1);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}
