/**
 * Signals that the kernel sends to a process because of its own instructions. A JavaScript listener for SIGSEGV or
 * SIGBUS replaces the V8 handler that turns an out-of-bounds access of WebAssembly into a `RuntimeError`. libuv's
 * handler returns to the faulting instruction instead, so that a script or a jq expression could end the process or
 * make it hang. For the other signals, a listener cannot repair the fault either, so their default action is correct.
 */
export const FAULT_SIGNALS = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP'] as const;

const NAMES: ReadonlySet<string | symbol> = new Set(FAULT_SIGNALS);

/**
 * Throws if a fault signal has a listener, and from now on whenever one is added. Returns a function that allows
 * listeners again.
 */
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
