import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, EngineLogger } from './engine.ts';

export interface Supervision<E extends Engine> {
  /** The engine as it runs now. After a crash the next one takes its place, at the same address if `start` sees to it. */
  current(): E;
  readonly restarts: number;
  /** Ends the engine and the watch over it. */
  stop(): Promise<void>;
  /** Resolves with the last error when the engine could not be brought back `attempts` times in a row. */
  readonly gaveUp: Promise<unknown>;
}

const BACK_OFF_MS = [100, 500, 2_000, 5_000, 10_000];

/** Starts an engine and starts it again whenever it ends unasked, with growing pauses while it does not come up. Rejects when the first start fails. */
export async function supervise<E extends Engine>(
  start: () => Promise<E>,
  logger?: EngineLogger,
): Promise<Supervision<E>> {
  let engine = await start();
  let restarts = 0;
  const stopping = new AbortController();
  const gaveUp = Promise.withResolvers<unknown>();

  async function watch(): Promise<void> {
    for (;;) {
      const exit = await engine.exited;
      if (stopping.signal.aborted) return;
      logger?.error(
        { pid: engine.pid, code: exit.code, signal: exit.signal },
        'engine ended unasked; starting it again',
      );
      engine = await startAgain();
      restarts++;
    }
  }

  async function startAgain(): Promise<E> {
    for (let attempt = 0; ; attempt++) {
      await delay(BACK_OFF_MS[attempt] ?? 0, undefined, { signal: stopping.signal });
      try {
        const next = await start();
        if (stopping.signal.aborted) await next.stop();
        return next;
      } catch (error) {
        if (attempt + 1 >= BACK_OFF_MS.length) throw error;
        logger?.warn({ err: error, attempt }, 'engine does not start; trying again');
      }
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!stopping.signal.aborted) gaveUp.resolve(error);
  });

  return {
    current: () => engine,
    get restarts() {
      return restarts;
    },
    gaveUp: gaveUp.promise,
    async stop() {
      stopping.abort();
      await engine.stop();
      await watching;
    },
  };
}
