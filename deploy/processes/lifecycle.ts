/** A part of a process that was started and can be stopped. */
export interface Started<T> {
  readonly value: T;
  readonly stop?: () => Promise<void>;
  /** Stops new work from being sent here while everything still runs; see `Lifecycle.drain`. */
  readonly drain?: () => Promise<void>;
  /** It accepts work by itself, and finishes running work when it stops. */
  readonly takesWork?: boolean;
}

/**
 * Parts of a process, started in order, or side by side where they don't need each other, and stopped in reverse. When one does not start, those
 * before it are stopped, those still starting are stopped as soon as they have, and its error is thrown on. Parts that take work on stop before
 * all others and at the same time: no part begins new work, and a part that finishes slowly does not use up the time of the next one.
 */
export interface Lifecycle {
  /** Rejects when the lifecycle was stopped before the start was complete. */
  start<T>(name: string, start: () => Promise<Started<T>> | Started<T>): Promise<T>;
  /** Drains all parts at once, before `stop` and while all of them run. Not called when the process fails. */
  drain(): Promise<void>;
  /** Stops everything, latest first; a part that fails to stop does not keep the others. Idempotent. */
  stop(): Promise<void>;
  /** Aborts at a stop: a start must not wait any longer. */
  readonly signal: AbortSignal;
}

/** Starts parts in order and stops them in reverse; a part that does not start takes those before it down. */
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
