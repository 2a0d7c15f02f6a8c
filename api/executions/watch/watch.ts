import { listenForWakeUps } from '#api/leases/listen.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { ENDED } from '../engine/follow-ups.ts';
import { endedOf, MAX_ENTRIES, traceAfter } from '../store/trace.ts';
import { createFollowers } from './followers.ts';
import type { ExecutionWatch } from './port.ts';

export interface WatchDeps {
  readonly database: Database;
  readonly logger: WorkerLogger;
  /** Leads to PostgreSQL itself, for LISTEN. Undefined: the watch polls only. */
  readonly listenUrl?: string | undefined;
}

export interface WatchConfig {
  /** Poll interval, ms. Default 1,000. */
  readonly pollMs?: number;
  /** Poll interval for a wait that has just begun: most runs are short. Default 150 ms, for 2 s. */
  readonly eagerMs?: number;
}

const EAGER_FOR_MS = 2_000;

/**
 * See `ExecutionWatch`. It runs no query while no caller waits.
 * Long: its functions share the waits and the one listener.
 */
export function createExecutionWatch(
  { database, logger, listenUrl }: WatchDeps,
  { pollMs = 1_000, eagerMs = 150 }: WatchConfig = {},
): ExecutionWatch {
  const waiting = new Map<string, Set<(ended: boolean) => void>>();
  const followers = createFollowers();
  let listener: { close(): Promise<void> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let eagerUntil = 0;
  let unavailable = false;
  let closed = false;

  function began(): void {
    eagerUntil = performance.now() + EAGER_FOR_MS;
    // Connects with the first wait, and stays connected.
    if (listenUrl !== undefined) listener ??= listenForWakeUps(listenUrl, woken, logger);
    schedule(0);
  }

  /** A notification arrived. Undefined: any may have been missed. */
  function woken(queues: readonly string[] | undefined): void {
    const ours =
      queues === undefined ||
      queues.some((queue) => {
        const id = queue.startsWith(ENDED) ? queue.slice(ENDED.length) : undefined;
        return id !== undefined && (waiting.has(id) || followers.has(id));
      });
    if (ours) schedule(0);
  }

  function schedule(ms: number): void {
    if (closed || (waiting.size === 0 && followers.size === 0)) return;
    if (looking !== undefined) {
      lookAgain ||= ms === 0;
      return;
    }
    if (timer !== undefined && ms > 0) return;
    clearTimeout(timer);
    timer = setTimeout(begin, ms);
  }

  function begin(): void {
    timer = undefined;
    looking = look().finally(() => {
      looking = undefined;
      const soon = lookAgain && !unavailable;
      lookAgain = false;
      schedule(soon ? 0 : performance.now() < eagerUntil ? eagerMs : pollMs);
    });
  }

  async function look(): Promise<void> {
    try {
      const wanted = followers.wanted();
      const [ended, entries] = await Promise.all([
        waiting.size === 0 ? [] : endedOf(database, [...waiting.keys()]),
        wanted.length === 0 ? [] : traceAfter(database, wanted),
      ]);
      unavailable = false;
      for (const id of ended) for (const settle of waiting.get(id) ?? []) settle(true);
      followers.deliver(wanted, entries);
      if (entries.length === MAX_ENTRIES) lookAgain = true;
    } catch (error) {
      if (!unavailable) logger.warn({ err: error }, 'cannot poll watched executions');
      unavailable = true;
    }
  }

  return {
    waitForEnd(executionId, { ms, signal }) {
      if (closed || signal.aborted) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const settle = (ended: boolean): void => {
        clearTimeout(deadline);
        signal.removeEventListener('abort', abort);
        const others = waiting.get(executionId);
        others?.delete(settle);
        if (others?.size === 0) waiting.delete(executionId);
        resolve(ended);
      };
      const abort = () => settle(false);
      const deadline = setTimeout(abort, ms);
      signal.addEventListener('abort', abort, { once: true });
      waiting.set(executionId, (waiting.get(executionId) ?? new Set()).add(settle));
      began();
      return promise;
    },
    follow(executionId, options) {
      if (closed) {
        options.onClose();
        return () => {};
      }
      const end = followers.add(executionId, options);
      began();
      return end;
    },
    get watched() {
      return [...waiting.values()].reduce((sum, { size }) => sum + size, 0) + followers.size;
    },
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      for (const settles of [...waiting.values()]) for (const settle of [...settles]) settle(false);
      followers.close();
      await listener?.close();
      await looking;
    },
  };
}
