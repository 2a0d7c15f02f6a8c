import { setTimeout as delay } from 'node:timers/promises';
import { type ClickHouseEngineOptions, startClickHouseEngine } from './clickhouse.ts';
import type { EngineLogger } from './engine.ts';

export interface SupervisedClickHouse {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Whether it serves now. */
  running(): boolean;
  restarts(): number;
  stop(): Promise<void>;
}

export interface SuperviseOptions extends ClickHouseEngineOptions {
  readonly logger: EngineLogger;
  /** Told when it cannot be brought back; everything that needs it should end. */
  readonly onGivenUp: (error: unknown) => void;
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 5_000;
/** An engine that dies this often without ever serving in between will not get better. */
const MAX_FAILED_STARTS = 8;

/**
 * The local engine, brought back on the same port with the same data whenever it dies, with back-off. Requests fail meanwhile
 * with errors that pass by themselves.
 */
export async function superviseClickHouse(options: SuperviseOptions): Promise<SupervisedClickHouse> {
  const { logger, onGivenUp } = options;
  const stopping = new AbortController();
  let engine = await startClickHouseEngine(options);
  let running = true;
  let restarts = 0;
  const { url, port, user, password } = engine;
  void watch();

  return {
    url,
    user,
    password,
    running: () => running,
    restarts: () => restarts,
    async stop() {
      stopping.abort();
      await engine.stop();
    },
  };

  async function watch(): Promise<void> {
    for (;;) {
      const exit = await engine.exited;
      running = false;
      if (exit.expected || stopping.signal.aborted) return;
      logger.error({ code: exit.code, signal: exit.signal }, 'the local ClickHouse engine died and is started again');
      try {
        if (!(await bringBack())) return;
      } catch (error) {
        onGivenUp(error);
        return;
      }
      restarts++;
      running = true;
    }
  }

  /** False when stopped meanwhile; throws the last error when it gave up. */
  async function bringBack(): Promise<boolean> {
    for (let failures = 0; ; failures++) {
      try {
        const back = await startClickHouseEngine({ ...options, port, password });
        engine = back;
        if (!stopping.signal.aborted) return true;
        await back.stop();
        return false;
      } catch (error) {
        if (stopping.signal.aborted) return false;
        if (failures >= MAX_FAILED_STARTS) throw error;
        logger.warn({ err: error, failures }, 'the local ClickHouse engine did not start');
        await delay(Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures), undefined, {
          signal: stopping.signal,
        }).catch(() => {});
      }
    }
  }
}
