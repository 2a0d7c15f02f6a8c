import { listenForWakeUps } from '#api/leases/listen.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import { NAME_PATTERN, TASKS_WAIT } from './names.ts';

/**
 * A poll that waits for tasks. Polls of a `group` receive the same tasks: those of one account, queue and set of types.
 */
export interface WaitingPoll<Task> {
  readonly group: string;
  readonly queue: string;
  /** Leases tasks for this poll. Resolves to undefined, which ends the poll, if the caller may no longer lease. */
  readonly lease: () => Promise<readonly Task[] | undefined>;
  /** Releases tasks that the poll can no longer deliver. */
  readonly giveBack: (tasks: readonly Task[]) => Promise<unknown>;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/**
 * Waiting polls of external workers in this process. Waiting needs no queries: a notification of any process triggers a
 * lease.
 */
export interface TaskPolls {
  /** Resolves to leased tasks, or to an empty list after `ms`, when `signal` aborts, or when the polls are closed. */
  wait<Task>(poll: WaitingPoll<Task>): Promise<readonly Task[]>;
  /** Number of waiting polls. */
  readonly waiting: number;
  close(): Promise<void>;
}

export interface TaskPollsDeps {
  readonly logger: WorkerLogger;
  /** Direct connection URI of PostgreSQL, for LISTEN. If undefined, tasks are found only at the interval. */
  readonly listenUrl?: string | undefined;
}

/** Interval at which each group leases without a notification, because notifications can be lost with a connection. */
const FALLBACK_MS = 5_000;

interface Entry {
  readonly poll: WaitingPoll<unknown>;
  readonly settle: (tasks: readonly unknown[]) => void;
}

interface Group {
  readonly queue: string;
  readonly entries: Set<Entry>;
  serving: boolean;
  again: boolean;
}

/**
 * See `TaskPolls`. The polls of a group are served one at a time, oldest first, until the queue is empty. So a
 * notification costs one query more than it has tasks, however many polls wait. Long: its functions share the groups.
 */
export function createTaskPolls(
  { logger, listenUrl }: TaskPollsDeps,
  { fallbackMs = FALLBACK_MS }: { readonly fallbackMs?: number } = {},
): TaskPolls {
  const groups = new Map<string, Group>();
  let listener: { close(): Promise<void> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function woken(names: readonly string[] | undefined): void {
    const queues = names?.flatMap((name) => (name.startsWith(TASKS_WAIT) ? [name.slice(TASKS_WAIT.length)] : []));
    if (queues?.length === 0) return;
    for (const [key, group] of groups) if (queues === undefined || queues.includes(group.queue)) void serve(key, group);
  }

  async function serve(key: string, group: Group): Promise<void> {
    if (group.serving) {
      group.again = true;
      return;
    }
    group.serving = true;
    try {
      do {
        group.again = false;
        await serveOnce(group);
      } while (group.again && !closed);
    } catch (error) {
      logger.warn({ err: error, queue: group.queue }, 'cannot lease tasks for waiting workers');
    } finally {
      group.serving = false;
      if (group.entries.size === 0 && groups.get(key) === group) groups.delete(key);
    }
  }

  async function serveOnce(group: Group): Promise<void> {
    for (const entry of [...group.entries]) {
      if (!group.entries.has(entry)) continue;
      const tasks = await entry.poll.lease();
      if (tasks === undefined) {
        entry.settle([]);
        continue;
      }
      if (tasks.length === 0) return;
      if (group.entries.has(entry)) entry.settle(tasks);
      else await entry.poll.giveBack(tasks);
    }
  }

  function add(entry: Entry): void {
    const { group: key, queue } = entry.poll;
    const group = groups.get(key) ?? { queue, entries: new Set(), serving: false, again: false };
    groups.set(key, group);
    group.entries.add(entry);
    if (listenUrl !== undefined) listener ??= listenForWakeUps(listenUrl, woken, logger);
    timer ??= setInterval(() => {
      for (const [name, each] of groups) void serve(name, each);
    }, fallbackMs);
    timer.unref();
    // A task may have been queued since the query of the caller.
    void serve(key, group);
  }

  function remove(entry: Entry): void {
    const { group: key } = entry.poll;
    const group = groups.get(key);
    group?.entries.delete(entry);
    if (group?.entries.size === 0 && !group.serving) groups.delete(key);
  }

  return {
    wait<Task>(poll: WaitingPoll<Task>) {
      if (closed || poll.signal.aborted || !NAME_PATTERN.test(poll.queue)) return Promise.resolve([]);
      const { promise, resolve } = Promise.withResolvers<readonly Task[]>();
      const entry: Entry = {
        poll: poll as WaitingPoll<unknown>,
        settle(tasks) {
          clearTimeout(deadline);
          poll.signal.removeEventListener('abort', end);
          remove(entry);
          resolve(tasks as readonly Task[]);
        },
      };
      const end = () => entry.settle([]);
      const deadline = setTimeout(end, poll.ms);
      poll.signal.addEventListener('abort', end, { once: true });
      add(entry);
      return promise;
    },
    get waiting() {
      return [...groups.values()].reduce((sum, { entries }) => sum + entries.size, 0);
    },
    async close() {
      if (closed) return;
      closed = true;
      clearInterval(timer);
      for (const { entries } of [...groups.values()]) for (const entry of [...entries]) entry.settle([]);
      await listener?.close();
    },
  };
}
