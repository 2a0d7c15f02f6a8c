import { listenForWakeUps } from '#api/leases/listen.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { ENDED, REPLIED } from '../engine/follow-ups.ts';
import { type ReplyWanted, settledReplies } from '../store/replies.ts';
import { endedOf, MAX_ENTRIES, traceAfter } from '../store/trace.ts';
import { createFollowers } from './followers.ts';
import type { ExecutionWatch } from './port.ts';

export interface WatchDeps {
  readonly database: Database;
  readonly logger: WorkerLogger;
  /** Direct connection URI of PostgreSQL, for LISTEN. If undefined, the watch only polls. */
  readonly listenUrl?: string | undefined;
}

export interface WatchConfig {
  /** Poll interval in ms. Default 1,000. */
  readonly pollMs?: number;
  /** Poll interval in ms for the first 2 s of a wait, because most runs are short. Default 150. */
  readonly eagerMs?: number;
}

const EAGER_FOR_MS = 2_000;

/** See `ExecutionWatch`. Runs no query while no caller waits. Long: its functions share the waits and the listener. */
export function createExecutionWatch(
  { database, logger, listenUrl }: WatchDeps,
  { pollMs = 1_000, eagerMs = 150 }: WatchConfig = {},
): ExecutionWatch {
  const waiting = new Map<string, Set<(ended: boolean) => void>>();
  const replying = new Map<
    string,
    { readonly wanted: ReplyWanted; readonly settles: Set<(settled: boolean) => void> }
  >();
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
    // Connects on the first wait, and stays connected.
    if (listenUrl !== undefined) listener ??= listenForWakeUps(listenUrl, woken, logger);
    schedule(0);
  }

  /** Handles a notification. Undefined means that notifications may have been missed. */
  function woken(queues: readonly string[] | undefined): void {
    const ours =
      queues === undefined ||
      queues.some((queue) => {
        const prefix = [ENDED, REPLIED].find((known) => queue.startsWith(known));
        if (prefix === undefined) return false;
        const id = queue.slice(prefix.length);
        const isAwaited = [...replying.values()].some(({ wanted }) => wanted.executionId === id);
        return isAwaited || (prefix === ENDED && (waiting.has(id) || followers.has(id)));
      });
    if (ours) schedule(0);
  }

  function schedule(ms: number): void {
    if (closed || (waiting.size === 0 && replying.size === 0 && followers.size === 0)) return;
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
      const asked = [...replying.values()];
      const [ended, settled, entries] = await Promise.all([
        waiting.size === 0 ? [] : endedOf(database, [...waiting.keys()]),
        settledReplies(database, asked),
        wanted.length === 0 ? [] : traceAfter(database, wanted),
      ]);
      unavailable = false;
      for (const id of ended) for (const settle of waiting.get(id) ?? []) settle(true);
      for (const index of settled) for (const settle of asked[index]?.settles ?? []) settle(true);
      followers.deliver(wanted, entries);
      if (entries.length === MAX_ENTRIES) lookAgain = true;
    } catch (error) {
      if (!unavailable) logger.warn({ err: error }, 'cannot poll watched executions');
      unavailable = true;
    }
  }

  /** Waits with a limit. `register` adds the condition to the poll, and returns a function that removes it. */
  function wait(
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
    register: (settle: (settled: boolean) => void) => () => void,
  ): Promise<boolean> {
    if (closed || signal.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const settle = (settled: boolean): void => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', abort);
      unregister();
      resolve(settled);
    };
    const abort = () => settle(false);
    const deadline = setTimeout(abort, ms);
    signal.addEventListener('abort', abort, { once: true });
    const unregister = register(settle);
    began();
    return promise;
  }

  return {
    waitForEnd(executionId, options) {
      return wait(options, (settle) => {
        const settles = (waiting.get(executionId) ?? new Set()).add(settle);
        waiting.set(executionId, settles);
        return () => {
          settles.delete(settle);
          if (settles.size === 0) waiting.delete(executionId);
        };
      });
    },
    waitForReply(wanted, options) {
      const key = `${wanted.executionId}\n${wanted.eventId}`;
      return wait(options, (settle) => {
        const { settles } = replying.get(key) ?? { settles: new Set() };
        replying.set(key, { wanted, settles: settles.add(settle) });
        return () => {
          settles.delete(settle);
          if (settles.size === 0) replying.delete(key);
        };
      });
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
      const settles = [...waiting.values(), ...[...replying.values()].map((one) => one.settles)];
      return settles.reduce((sum, { size }) => sum + size, 0) + followers.size;
    },
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      const all = [...waiting.values(), ...[...replying.values()].map(({ settles }) => settles)];
      for (const settle of all.flatMap((settles) => [...settles])) settle(false);
      followers.close();
      await listener?.close();
      await looking;
    },
  };
}
