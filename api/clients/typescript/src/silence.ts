/** Ends a request when nothing comes for too long, or when the caller says so. */
export interface Silence {
  readonly signal: AbortSignal;
  /** Whether it was the silence that ended the request. */
  readonly tooLong: boolean;
  /** Something is waited for: counting starts again. */
  count(): void;
  /** Nothing is waited for: the reader takes its time. */
  rest(): void;
  /** The request is over. */
  done(): void;
}

/** `extraMs` is granted before the first sign: an upload takes its time, and shows no progress. */
export function listenForSilence(timeoutMs: number, extraMs: number, caller: AbortSignal | undefined): Silence {
  const ender = new AbortController();
  let tooLong = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const endByCaller = () => ender.abort(caller?.reason);
  const count = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      tooLong = true;
      ender.abort();
    }, ms);
  };
  if (caller?.aborted) endByCaller();
  else caller?.addEventListener('abort', endByCaller, { once: true });
  count(timeoutMs + extraMs);
  return {
    signal: ender.signal,
    get tooLong() {
      return tooLong;
    },
    count: () => count(timeoutMs),
    rest: () => clearTimeout(timer),
    done() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', endByCaller);
    },
  };
}

/** Resolves after `ms`; rejects with the reason of the signal when that comes first. */
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
