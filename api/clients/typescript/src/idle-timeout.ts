/** Aborts a request after a time without data, or when the caller's signal aborts. */
export interface IdleTimeout {
  readonly signal: AbortSignal;
  /** True if the time-out aborted the request. */
  readonly expired: boolean;
  /** Restarts the time-out, because data is awaited. */
  restart(): void;
  /** Pauses the time-out while the reader is not requesting data. */
  pause(): void;
  /** Ends the observation after the request. */
  stop(): void;
}

/**
 * Creates the time-out of a request. `extraMs` is added before the first data, because an upload takes time without
 * visible progress.
 */
export function createIdleTimeout(timeoutMs: number, extraMs: number, caller: AbortSignal | undefined): IdleTimeout {
  const ender = new AbortController();
  let expired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const endByCaller = () => ender.abort(caller?.reason);
  const restart = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      expired = true;
      ender.abort();
    }, ms);
  };
  if (caller?.aborted) endByCaller();
  else caller?.addEventListener('abort', endByCaller, { once: true });
  restart(timeoutMs + extraMs);
  return {
    signal: ender.signal,
    get expired() {
      return expired;
    },
    restart: () => restart(timeoutMs),
    pause: () => clearTimeout(timer),
    stop() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', endByCaller);
    },
  };
}

/** Resolves after `ms`. Rejects with the reason of the signal if that aborts first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
