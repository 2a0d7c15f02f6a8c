import { flushCompileCache } from 'node:module';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { FAULT_SIGNALS, forbidFaultListeners } from './fault-signals.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { onStopSignal, STOP_SIGNALS } from './stop-signals.ts';

/** Accepted records are landed within this time. Others are not acknowledged, and their sender still has them. */
const GRACE_MS = 9_500;
const STOPPING = 'stopping';

export interface Running {
  readonly lifecycle: Lifecycle;
  /** For unknown errors: ends the process with exit code 1, without further acknowledgements. */
  readonly failed: (error: unknown) => void;
}

/**
 * Runs a process until SIGTERM, SIGINT or a failure. Then drains its parts (only after a signal), stops them in reverse
 * and exits. The exit code is 0 after a signal, and 1 after a failure or if the parts did not stop in time. Rejects if
 * the process does not start.
 */
export async function runUntilStopped(log: Logger, start: (running: Running) => Promise<void>): Promise<never> {
  // The program is loaded now. Without this, Node would keep all compiled code in memory, and write the cache only at
  // exit, which a killed process never reaches.
  flushCompileCache();
  const lifecycle = createLifecycle(log);
  let failure: { readonly error: unknown } | undefined;
  let ending = false;
  const onTimeout = () => log.error({ graceMs: GRACE_MS }, 'parts did not stop in time');
  const allowFaultListeners = forbidFaultListeners();
  const skip = [...STOP_SIGNALS, ...FAULT_SIGNALS];
  const grace = closeWithGrace({ delay: GRACE_MS, logger: false, onTimeout, skip }, async ({ signal, err }) => {
    ending = true;
    if (err !== undefined) log.fatal({ err }, 'unforeseen error');
    if (signal !== undefined) log.info({ signal }, STOPPING);
    await lifecycle.stop();
    log.info({}, 'stopped');
    if (failure !== undefined) throw failure.error; // Exit code 1.
  });
  const offSignals = onStopSignal((signal) => {
    if (ending) process.exit(1);
    log.info({ signal }, STOPPING);
    void lifecycle.drain().then(() => {
      if (!ending) grace.close();
    });
  });
  const failed = (error: unknown): void => {
    if (failure !== undefined) return;
    failure = { error };
    log.fatal({ err: error }, 'the process ends; what has not landed was not acknowledged');
    grace.close();
  };
  try {
    await start({ lifecycle, failed });
    flushCompileCache(); // Writes the code that was loaded because of the configuration.
  } catch (error) {
    await lifecycle.stop();
    // Stopped during the start. The stop ends the process and logs the reason.
    if (ending) return new Promise<never>(() => {});
    grace.uninstall();
    offSignals();
    allowFaultListeners();
    throw error;
  }
  return new Promise<never>(() => {});
}
