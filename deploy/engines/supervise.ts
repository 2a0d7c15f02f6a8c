import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, EngineLogger } from './engine.ts';

export interface Supervision<E extends Engine> {
  /** The engine that runs now. After a crash the next one replaces it. */
  current(): E;
  readonly restarts: number;
  /** Ends the engine and the watch over it. */
  stop(): Promise<void>;
  /** Resolves with the last error when the engine could not be brought back `attempts` times in a row. */
  readonly gaveUp: Promise<unknown>;
}

/** A periodic request to the engine. After `failures` failed ones in a row the engine is killed, and so restarted. */
export interface HealthCheck<E extends Engine> {
  /** Rejects when the engine does not respond, or when the signal aborts. */
  readonly check: (engine: E, signal: AbortSignal) => Promise<void>;
  /** Pause between two requests, milliseconds. Default 5,000. */
  readonly everyMs?: number;
  /** Bound of one request, milliseconds. Default 10,000: an engine under full load responds later than an idle one. */
  readonly timeoutMs?: number;
  /** Default 3. */
  readonly failures?: number;
}

const BACK_OFF_MS = [100, 500, 2_000, 5_000, 10_000];

/**
 * Starts an engine and restarts it when it exits unexpectedly or stops responding, with growing pauses while it does not come up.
 * Rejects when the first start fails.
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

/** Resolves when the signal aborts, or when the engine had to be killed: its process lives, but it does not respond. */
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
