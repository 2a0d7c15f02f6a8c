import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, EngineLogger } from './engine.ts';

export interface Supervision<E extends Engine> {
  /** Returns the engine that is running now. After a crash, a new one replaces it. */
  current(): E;
  readonly restarts: number;
  /** Stops the engine and its supervision. */
  stop(): Promise<void>;
  /** Resolves with the last error if the engine could not be restarted `attempts` times in a row. */
  readonly gaveUp: Promise<unknown>;
}

/** A periodic request to the engine. After `failures` consecutive failures, the engine is killed and restarted. */
export interface HealthCheck<E extends Engine> {
  /** Rejects if the engine does not respond, or if the signal aborts. */
  readonly check: (engine: E, signal: AbortSignal) => Promise<void>;
  /** Pause between two requests, ms. Default 5,000. */
  readonly everyMs?: number;
  /** Timeout of one request, ms. Default 10,000, because an engine under full load responds late. */
  readonly timeoutMs?: number;
  /** Default 3. */
  readonly failures?: number;
}

const BACK_OFF_MS = [100, 500, 2_000, 5_000, 10_000];

/**
 * Starts an engine and restarts it if it exits unexpectedly or stops responding, with increasing pauses while it does
 * not start. Rejects if the first start fails.
 */
export async function supervise<E extends Engine>(
  start: () => Promise<E>,
  logger?: EngineLogger,
  health?: HealthCheck<E>,
): Promise<Supervision<E>> {
  let engine = await start();
  let restarts = 0;
  const stopping = new AbortController();
  const gaveUp = Promise.withResolvers<unknown>();

  async function watch(): Promise<void> {
    for (;;) {
      const exited = new AbortController();
      const watched =
        health && killUnresponsive(engine, health, AbortSignal.any([stopping.signal, exited.signal]), logger);
      const exit = await engine.exited;
      exited.abort();
      await watched;
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
        logger?.warn({ err: error, attempt }, 'cannot start the engine, retrying');
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

/** Resolves when the signal aborts, or when the engine was killed because its process was alive but did not respond. */
async function killUnresponsive<E extends Engine>(
  engine: E,
  { check, everyMs = 5_000, timeoutMs = 10_000, failures = 3 }: HealthCheck<E>,
  signal: AbortSignal,
  logger: EngineLogger | undefined,
): Promise<void> {
  let failed = 0;
  while (failed < failures) {
    await delay(everyMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      await check(engine, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
      failed = 0;
    } catch (error) {
      if (signal.aborted) return;
      failed++;
      logger?.warn({ pid: engine.pid, failed, err: error }, 'engine does not respond');
    }
  }
  logger?.error({ pid: engine.pid, failed }, 'engine is unresponsive; killing it');
  engine.kill();
}
