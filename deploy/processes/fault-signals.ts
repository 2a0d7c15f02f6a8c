/**
 * Signals that the kernel sends to a process because of its own instructions. A JavaScript listener for one of them replaces the handler in V8 that turns an
 * out-of-bounds access of WebAssembly (SIGSEGV, SIGBUS) into a `RuntimeError`. The signal handler of libuv returns to the faulting instruction instead, so that
 * a script or a jq expression ends the process or makes it hang. No listener can repair the others either: their default action is the right one.
 */
export const FAULT_SIGNALS = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP'] as const;

const NAMES: ReadonlySet<string | symbol> = new Set(FAULT_SIGNALS);

/** Throws when a fault signal has a listener, and from now on whenever one is added. Returns a function that lifts the ban on adding. */
export function forbidFaultListeners(): () => void {
  for (const signal of FAULT_SIGNALS) if (process.listenerCount(signal) > 0) throw listenerError(signal);
  const onNewListener = (event: string | symbol): void => {
    if (NAMES.has(event)) throw listenerError(String(event));
  };
  process.on('newListener', onNewListener);
  return () => process.off('newListener', onNewListener);
}

function listenerError(signal: string): Error {
  return new Error(`A listener for ${signal} would disable the WebAssembly trap handler of V8; remove the listener`);
}
