/** A part of a process that was started and can be stopped. */
export interface Started<T> {
  readonly value: T;
  readonly stop?: () => Promise<void>;
}

/**
 * Parts of a process, started in order and stopped in reverse. When one does not start, those before it are stopped and
 * its error is thrown on.
 */
export interface Lifecycle {
  start<T>(name: string, start: () => Promise<Started<T>> | Started<T>): Promise<T>;
  /** Stops everything, latest first; a part that fails to stop does not keep the others. Idempotent. */
  stop(): Promise<void>;
}

/** Starts parts in order and stops them in reverse; a part that does not start takes those before it down. */
export function createLifecycle(log: {
  debug(fields: object, message: string): void;
  error(fields: object, message: string): void;
}): Lifecycle {
  const running: { name: string; stop: () => Promise<void> }[] = [];
  let stopping: Promise<void> | undefined;

  return {
    async start(name, start) {
      try {
        const { value, stop } = await start();
        if (stop !== undefined) running.push({ name, stop });
        log.debug({ part: name }, 'started');
        return value;
      } catch (error) {
        await stopAll();
        throw error;
      }
    },
    stop: stopAll,
  };

  function stopAll(): Promise<void> {
    stopping ??= (async () => {
      for (let part = running.pop(); part !== undefined; part = running.pop()) {
        const { name, stop } = part;
        try {
          await stop();
          log.debug({ part: name }, 'stopped');
        } catch (error) {
          log.error({ part: name, err: error }, 'a part did not stop cleanly');
        }
      }
    })();
    return stopping;
  }
}
