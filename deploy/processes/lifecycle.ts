/** A part of a process that has been started and can be stopped. */
export interface Started<T> {
  readonly value: T;
  readonly stop?: () => Promise<void>;
  /** Stops new work from being sent here while everything is still running; see `Lifecycle.drain`. */
  readonly drain?: () => Promise<void>;
  /** True if it accepts work itself, and finishes running work when it stops. */
  readonly takesWork?: boolean;
}

/**
 * Starts the parts of a process in order, or concurrently if they are independent, and stops them in reverse. If one
 * fails to start, all others are stopped, including those that are still starting, and its error is rethrown. Parts
 * that accept work stop before all others and concurrently. No part then begins new work, and a slow part does not use
 * up the time of the next one.
 */
export interface Lifecycle {
  /** Rejects if the lifecycle was stopped before the start was complete. */
  start<T>(name: string, start: () => Promise<Started<T>> | Started<T>): Promise<T>;
  /** Drains all parts concurrently, before `stop` and while all are running. Not called if the process fails. */
  drain(): Promise<void>;
  /** Stops everything, latest first. A part that fails to stop does not block the others. Idempotent. */
  stop(): Promise<void>;
  /** Aborted when the process stops: a start must then not wait any longer. */
  readonly signal: AbortSignal;
}

/** Creates a lifecycle, which starts parts in order and stops them in reverse. */
export function createLifecycle(log: {
  debug(fields: object, message: string): void;
  error(fields: object, message: string): void;
}): Lifecycle {
  const running: { name: string; stop: () => Promise<void>; takesWork: boolean }[] = [];
  const drains: (() => Promise<void>)[] = [];
  const starting = new Set<Promise<unknown>>();
  const over = new AbortController();
  let stopping: Promise<void> | undefined;

  return {
    async start(name, start) {
      const begun = begin(name, start);
      starting.add(begun);
      try {
        return await begun;
      } catch (error) {
        await stopAll();
        throw error;
      } finally {
        starting.delete(begun);
      }
    },
    drain: async () => void (await Promise.all(drains.map((drain) => drain()))),
    stop: stopAll,
    signal: over.signal,
  };

  async function begin<T>(name: string, start: () => Promise<Started<T>> | Started<T>): Promise<T> {
    over.signal.throwIfAborted();
    const { value, stop, drain, takesWork = false } = await start();
    if (over.signal.aborted) {
      if (stop !== undefined) await end(name, stop);
      throw over.signal.reason;
    }
    if (stop !== undefined) running.push({ name, stop, takesWork });
    if (drain !== undefined) drains.push(drain);
    log.debug({ part: name }, 'started');
    return value;
  }

  function stopAll(): Promise<void> {
    stopping ??= (async () => {
      over.abort();
      await Promise.all(running.filter(({ takesWork }) => takesWork).map(({ name, stop }) => end(name, stop)));
      for (let part = running.pop(); part !== undefined; part = running.pop())
        if (!part.takesWork) await end(part.name, part.stop);
      await Promise.allSettled(starting);
    })();
    return stopping;
  }

  async function end(name: string, stop: () => Promise<void>): Promise<void> {
    try {
      await stop();
      log.debug({ part: name }, 'stopped');
    } catch (error) {
      log.error({ part: name, err: error }, 'a part did not stop cleanly');
    }
  }
}
