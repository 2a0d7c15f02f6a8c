export const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Ctrl-C reaches what npx runs from the terminal and again from npm; the second of two such twins would mean "at once, not gracefully". */
const TWIN_MS = 1_000;

/** Calls `stop` at the first signal to stop; at a second one that is no twin the process exits with 1. Returns what takes the listeners away. */
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
